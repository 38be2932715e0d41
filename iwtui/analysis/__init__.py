"""Figures over many episodes, asked of the index: filters, policies, sums by groups; means, ratios and their intervals."""
