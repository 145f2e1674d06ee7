"""The narrator as a thing on the table: no screen, no keyboard, a voice and at most one button."""
