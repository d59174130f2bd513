"""What results say: ratings, the verdict, the regret, tests."""
