"""Results for people: tables, sentences, pages."""
