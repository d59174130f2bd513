"""The page in a real browser. Where there is no Chromium or no Playwright these tests are skipped, and say so."""
