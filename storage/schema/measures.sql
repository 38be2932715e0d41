-- Measures: figures about whole episodes, and the parts that single slots have in them. Key: episode, judging, event.
CREATE TABLE measures (
    episode VARCHAR NOT NULL,      -- episode
    judging VARCHAR,               -- judging that measured it
    run VARCHAR NOT NULL,          -- run
    turn BIGINT,                   -- last turn before the judging
    event BIGINT NOT NULL,         -- seq of the event in the judging's log
    t TIMESTAMP,                   -- when (UTC)
    metric VARCHAR,                -- ias, chr, chr_hit (of one slot: 1 when a question aimed at it), vbr, layout, .., extras (things nobody asked for), extras_functional, and one row for each: extra_functional, extra_decorative, extra_unknown
    slot BIGINT,                   -- slot, from 0; NULL for the whole episode
    value DOUBLE,                  -- the figure; NULL when it could not be told
    reason VARCHAR                 -- the judge's reason, or its beginning
);
