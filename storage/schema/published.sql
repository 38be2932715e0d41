-- Published figures, to compare with: the paper's own, with their source.
CREATE TABLE published (
    model VARCHAR,                 -- model as the source names it; NULL for a figure over all models
    metric VARCHAR,                -- tcr (compare with tcr_clean), hr, loc, clarifies, creative_alignment, chr, ias, vci, vbr
    persona VARCHAR,               -- persona; NULL for all
    difficulty VARCHAR,            -- easy, middle or hard; NULL for all
    statistic VARCHAR,             -- value, or min and max over the models
    value DOUBLE,                  -- the figure
    unit VARCHAR,                  -- percent, lines, score 1-5, ratio or count
    source VARCHAR,                -- where it is printed
    note VARCHAR                   -- what to know about it
);
