"""Sentence templates of a language file (hassil's syntax) -> flat forms with {slot} holes."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from hassil import Sentence, parse_sentence
from hassil.parser import ParseError
from hassil.sample import sample_expression

from narrator.core.script import Source

SLOT = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Form:
    """One way of saying an intent; alternatives and options are written out."""

    intent: str
    text: str  # with {slot} holes
    fixed: Mapping[str, Any]  # slots that the form itself gives (tale = "pacifist")
    heard: bool


def read_forms(source: Source, slots: Collection[str]) -> Iterator[Form]:
    """Every form of a language file. Raises ScriptError, with file and line, for a faulty template."""
    for intent, entry in source.data.get("sentences", {}).items():
        path = ("sentences", intent)
        entries = entry if isinstance(entry, list) and entry and isinstance(entry[0], dict) else [entry]
        for one in entries:
            if isinstance(one, (str, list)):
                one = {"say": one}
            if not isinstance(one, dict) or not set(one) <= {"say", "hear", "slots"} or "say" not in one:
                raise source.fault(f"sentence “{intent}”: give a template, a list of them, or say/hear/slots", *path)
            heard = one.get("hear", one["say"])
            yield from _expanded(source, intent, heard, one, slots, heard=True)
            yield from _expanded(source, intent, one["say"], one, slots, heard=False)


def _expanded(
    source: Source,
    intent: str,
    templates: Any,
    entry: Mapping[str, Any],
    slots: Collection[str],
    *,
    heard: bool,
) -> Iterator[Form]:
    for template in [templates] if isinstance(templates, str) else templates:
        for text in _expand(source, intent, template):
            for name in SLOT.findall(text):
                if name not in slots:
                    raise source.fault(f"sentence “{intent}”: there is no slot “{name}”", "sentences", intent)
            yield Form(intent, text, entry.get("slots", {}), heard)


def _expand(source: Source, intent: str, template: Any) -> Iterable[str]:
    if not isinstance(template, str) or not template.strip():
        raise source.fault(f"sentence “{intent}”: a template must be a text", "sentences", intent)
    try:
        sentence: Sentence = parse_sentence(template)
        texts = sample_expression(sentence.expression, expand_lists=False, expand_ranges=False)
        return [" ".join(text.split()) for text in texts]
    except (ParseError, ValueError) as error:
        raise source.fault(
            f"sentence “{intent}”: “{template}” is not a template ({error})", "sentences", intent
        ) from None
