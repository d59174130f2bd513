"""Does looking deeper help?"""
