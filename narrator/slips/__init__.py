"""Secret slips on paper: what each player of La Grande Pyramide is, and whom they know, one page each."""
