"""Making an unclear client out of a golden instruction: the operator O_p of each persona, by rules or by a model."""
