"""Against the service at TIDEMARK_URL, with the key in TIDEMARK_KEY."""

import os
import unittest
import urllib.request

from tidemark import Figures, Tidemark, TidemarkError

try:
    import pandas
except ImportError:
    pandas = None

tm = Tidemark()


class Reading(unittest.TestCase):
    def test_several_series_at_once(self):
        figures = tm.figures("gdp-growth@JP", "gdp-growth@US", "eurusd", start="2020")
        series = list(dict.fromkeys(row["series"] for row in figures.rows))
        self.assertEqual(series, ["gdp-growth@JP", "gdp-growth@US", "eurusd"])
        self.assertTrue(all(row["period"] >= "2020" for row in figures.rows))
        self.assertIsInstance(figures.rows[0]["value"], float)

    def test_cites_sources_with_licences(self):
        citation = tm.figures("gdp-growth@JP", points=1).cite()
        self.assertIn("World Bank", citation)
        self.assertIn("https://", citation)

    def test_names_what_is_cut(self):
        self.assertEqual(tm.figures("gdp-growth@JP", points=2).cut, ["gdp-growth@JP"])

    def test_vintages_by_day(self):
        figures = tm.vintages("gdp-growth", "US")
        self.assertTrue(all(row["known_since"] for row in figures.rows))

    def test_follows_pages(self):
        first = tm.get("/companies", limit=2)
        self.assertIsNotNone(first.meta["page"]["nextCursor"])
        items = tm.items("/companies", limit=2)
        slugs = [next(items)["slug"] for _ in range(3)]
        self.assertEqual(len(set(slugs)), 3)

    def test_raises_what_the_service_says(self):
        with self.assertRaises(TidemarkError) as raised:
            tm.get("/topics/inflaton")
        self.assertEqual((raised.exception.status, raised.exception.code), (404, "not_found"))
        self.assertTrue(raised.exception.request_id)

    def test_reads_the_file_of_a_page_without_a_key(self):
        with urllib.request.urlopen(f"{tm.url}/macro/gdp-growth/JP?format=csv&locale=en") as response:
            head = response.readline().decode().strip()
        self.assertIn("attribution", head)


@unittest.skipIf(pandas is None, "pandas is not installed")
class Frames(unittest.TestCase):
    def test_a_column_for_each_series(self):
        frame = tm.figures("gdp-growth@JP", "gdp-growth@US").frame()
        self.assertEqual(list(frame.columns), ["gdp-growth@JP", "gdp-growth@US"])
        self.assertIsInstance(frame.index, pandas.PeriodIndex)
        self.assertIn("World Bank", frame.attrs["citation"])

    def test_a_column_for_each_vintage(self):
        frame = tm.vintages("gdp-growth", "US").frame()
        self.assertIsInstance(frame.columns, pandas.DatetimeIndex)

    def test_every_form_of_a_period(self):
        for periods in (["2024", "2025"], ["FY2024"], ["2025-Q3"], ["2025-10"], ["2026-W33"], ["2026-08-14"]):
            rows = [{"series": "a", "period": period, "value": 1.0} for period in periods]
            self.assertIsInstance(Figures(rows).frame().index, pandas.PeriodIndex, periods)
        self.assertEqual(list(Figures([{"series": "a", "period": "2025-H1", "value": 1.0}]).frame().index), ["2025-H1"])


if __name__ == "__main__":
    unittest.main()
