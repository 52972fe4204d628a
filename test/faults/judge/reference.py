"""The published reference order, as it was published, over rows of JSON on standard input. Standard library only."""

import json
import sys
from dataclasses import dataclass
from typing import Iterable


@dataclass(frozen=True)
class TraceRow:
    case_id: str
    handoff_id: str
    expected_to_agent: str
    observed_to_agent: str
    required_keys: frozenset[str]
    source_keys: frozenset[str]
    payload_keys: frozenset[str]
    destination_keys: frozenset[str]
    source_capture_complete: bool = True
    payload_capture_complete: bool = True
    destination_capture_complete: bool = True


@dataclass(frozen=True)
class Grade:
    case_id: str
    verdict: str
    boundary: str
    missing_keys: tuple[str, ...]


def missing(required: Iterable[str], observed: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(set(required) - set(observed)))


def grade(row: TraceRow) -> Grade:
    if row.observed_to_agent != row.expected_to_agent:
        return Grade(row.case_id, "routing_mismatch", "route", ())

    if not row.source_capture_complete:
        return Grade(row.case_id, "insufficient_evidence", "source_capture", ())
    source_missing = missing(row.required_keys, row.source_keys)
    if source_missing:
        return Grade(
            row.case_id,
            "upstream_context_missing",
            "before_handoff",
            source_missing,
        )

    if not row.payload_capture_complete:
        return Grade(row.case_id, "insufficient_evidence", "payload_capture", ())
    payload_missing = missing(row.required_keys, row.payload_keys)
    if payload_missing:
        return Grade(
            row.case_id,
            "packaging_loss",
            "source_to_payload",
            payload_missing,
        )

    if not row.destination_capture_complete:
        return Grade(
            row.case_id,
            "insufficient_evidence",
            "destination_capture",
            (),
        )
    destination_missing = missing(row.required_keys, row.destination_keys)
    if destination_missing:
        return Grade(
            row.case_id,
            "ingestion_loss",
            "payload_to_destination",
            destination_missing,
        )

    return Grade(row.case_id, "passed", "none", ())


KEY_SETS = ("required_keys", "source_keys", "payload_keys", "destination_keys")
for line in sys.stdin:
    given = json.loads(line)
    result = grade(TraceRow(**{**given, **{name: frozenset(given[name]) for name in KEY_SETS}}))
    print(json.dumps([result.verdict, result.boundary, list(result.missing_keys)]))
