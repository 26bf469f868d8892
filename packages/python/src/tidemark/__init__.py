"""Reads figures of a Tidemark service as rows or pandas frames, with vintages and citations."""

import json
import os
import re
import time
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass, field
from typing import Any, Dict, Iterator, List, Optional

__all__ = ["Answer", "Figures", "Tidemark", "TidemarkError"]

MOST_POINTS = 1000


class TidemarkError(Exception):
    """A refusal of the service: `code` is stable, `detail` is for people."""

    def __init__(self, status: int, error: Dict[str, Any]):
        self.status = status
        self.code = error.get("code", "unknown")
        self.detail = error.get("detail") or error.get("title") or f"HTTP status {status}"
        self.request_id = error.get("requestId")
        super().__init__(f"{self.code}: {self.detail}")


@dataclass(frozen=True)
class Answer:
    """`data` and `meta` of a response."""

    data: Any
    meta: Dict[str, Any]


@dataclass(frozen=True)
class Figures:
    """Rows of figures, one for each series, period and vintage."""

    rows: List[Dict[str, Any]]
    sources: List[Dict[str, Any]] = field(default_factory=list)
    notices: List[str] = field(default_factory=list)
    #: The series that have more points in the span than these.
    cut: List[str] = field(default_factory=list)
    #: What the columns of a frame are.
    across: str = "series"

    def cite(self) -> str:
        """The attributions and notices that must be shown with the figures."""
        lines = [f"{one['attribution']} {one['licence']['name']}: {one['licence']['url']}" for one in self.sources]
        return "\n".join(lines + self.notices)

    def frame(self) -> Any:
        """A pandas frame: periods down, series or vintages across. Missing values are NaN."""
        import pandas

        if not self.rows:
            return pandas.DataFrame()
        wide = pandas.DataFrame(self.rows).pivot(index="period", columns=self.across, values="value")
        if self.across == "known_since":
            # A value holds until the next vintage that has another one.
            wide = wide.sort_index(axis="columns").ffill(axis="columns")
            wide.columns = pandas.to_datetime(wide.columns)
        else:
            wide = wide[list(dict.fromkeys(row["series"] for row in self.rows))]
        periods = [_period(text) for text in wide.index]
        if None not in periods and len({period.freqstr for period in periods}) == 1:
            wide.index = pandas.PeriodIndex(periods, name="period")
        wide.attrs["citation"] = self.cite()
        return wide.sort_index().astype(float)


class Tidemark:
    """A client of one service. URL and key default to TIDEMARK_URL and TIDEMARK_KEY."""

    def __init__(
        self,
        url: Optional[str] = None,
        key: Optional[str] = None,
        locale: str = "en",
        timeout: float = 30,
        max_wait: float = 120,
    ):
        self.url = (url or os.environ.get("TIDEMARK_URL", "http://127.0.0.1:3000")).rstrip("/")
        self.locale, self.timeout, self.max_wait = locale, timeout, max_wait
        self._key = key or os.environ.get("TIDEMARK_KEY", "")

    def get(self, path: str, **parameters: Any) -> Answer:
        """One response of the API. `from` is written `start`, `to` is written `end`; lists are joined by commas."""
        names = {"start": "from", "end": "to"}
        query = {"locale": self.locale}
        for name, value in parameters.items():
            if value is not None:
                text = ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
                query[names.get(name, _camel(name))] = text
        address = f"{self.url}/api/v1{path}?{urllib.parse.urlencode(query)}"
        headers = {"authorization": f"Bearer {self._key}", "accept": "application/json"}
        request = urllib.request.Request(address, headers=headers)
        waited = 0.0
        while True:
            try:
                with urllib.request.urlopen(request, timeout=self.timeout) as response:
                    body = json.load(response)
                return Answer(body["data"], body["meta"])
            except urllib.error.HTTPError as refusal:
                wait = float(refusal.headers.get("retry-after") or 0)
                if refusal.code not in (429, 503) or wait <= 0 or waited + wait > self.max_wait:
                    raise _error(refusal) from None
            time.sleep(wait)
            waited += wait

    def items(self, path: str, **parameters: Any) -> Iterator[Dict[str, Any]]:
        """Each item of all pages of a list."""
        cursor = None
        while True:
            answer = self.get(path, cursor=cursor, **parameters)
            yield from answer.data
            cursor = (answer.meta.get("page") or {}).get("nextCursor")
            if cursor is None:
                return

    def figures(self, *series: str, points: int = MOST_POINTS, **parameters: Any) -> Figures:
        """Series by `indicator@region`, by the key of an instrument, or a pair of currencies."""
        answer = self.get("/series", series=series, points=points, **parameters)
        rows, cut = [], []
        for one in answer.data:
            rows += [_row(one["series"], point) for point in one["points"]]
            if one["omitted"] > 0:
                cut.append(one["series"])
        return Figures(rows, answer.meta["sources"], answer.meta["notices"], cut)

    def vintages(self, indicator: str, region: str, **parameters: Any) -> Figures:
        """Every value that each period of a series has had, by the day since which it was known."""
        answer = self.get(f"/macro/{indicator}", region=region, vintages="all", **parameters)
        found = answer.data["series"]
        rows = [_row(f"{indicator}@{region}", one) for series in found for one in series["observations"]]
        return Figures(rows, answer.meta["sources"], answer.meta["notices"], [], "known_since")


def _row(series: str, figure: Dict[str, Any]) -> Dict[str, Any]:
    return {
        "series": series,
        "period": figure["period"],
        "value": figure["value"],
        "text": figure["text"],
        "missing": figure.get("missing"),
        "known_since": figure.get("knownSince"),
    }


def _error(refusal: urllib.error.HTTPError) -> TidemarkError:
    try:
        return TidemarkError(refusal.code, json.load(refusal).get("error", {}))
    except ValueError:
        return TidemarkError(refusal.code, {})


def _camel(name: str) -> str:
    return re.sub(r"_([a-z])", lambda match: match[1].upper(), name)


def _period(text: str) -> Any:
    """A pandas period; None for half-years, for which pandas has no frequency."""
    import pandas

    fiscal = re.fullmatch(r"FY(\d{4})", text)
    if fiscal:
        return pandas.Period(f"{int(fiscal[1]) + 1}-03", freq=pandas.offsets.YearEnd(month=3))
    week = re.fullmatch(r"(\d{4})-W(\d{2})", text)
    if week:
        monday = pandas.Timestamp.fromisocalendar(int(week[1]), int(week[2]), 1)
        return pandas.Period(monday, freq="W-SUN")
    if re.fullmatch(r"\d{4}-H[12]", text):
        return None
    if re.fullmatch(r"\d{4}", text):
        return pandas.Period(text, freq=pandas.offsets.YearEnd())
    return pandas.Period(text.replace("-Q", "Q"), freq="Q" if "Q" in text else "M" if len(text) == 7 else "D")
