"""felt-link, by the clauses of its specification."""
