-- Judgings: one pass of one judge over the slots of one episode. Key: episode, judging.
CREATE TABLE judgings (
    episode VARCHAR NOT NULL,      -- episode that was judged
    judging VARCHAR NOT NULL,      -- name of the judging
    run VARCHAR NOT NULL,          -- run
    judge VARCHAR,                 -- the judge
    model VARCHAR,                 -- its model; NULL for a judge without one
    is_primary BOOLEAN,            -- whether its score is the episode's
    status VARCHAR,                -- scored, crashed, infra, cancelled or running
    turn_judged BIGINT,            -- turn after which the site was judged
    manifest VARCHAR,              -- blob of the manifest that was judged
    slots BIGINT,                  -- slots to be judged
    passed BIGINT,                 -- slots passed
    failed BIGINT,                 -- slots failed
    unobserved BIGINT,             -- slots that the judge never looked at
    unjudged BIGINT,               -- slots with an answer that could not be read
    tcr DOUBLE,                    -- task completion rate by this judging
    tcr_clean DOUBLE,              -- the same over POSITIVE slots only
    sr BOOLEAN,                    -- every slot passed
    hallucinated BOOLEAN,          -- a slot of kind unrequested failed
    started TIMESTAMP,             -- first event (UTC)
    seconds DOUBLE,                -- from the first event to the last; NULL when not measured
    calls BIGINT,                  -- calls of models
    tokens_in BIGINT,              -- tokens sent, as far as known; NULL when no call told any
    tokens_out BIGINT,             -- tokens received, as far as known; NULL when no call told any
    cost DOUBLE,                   -- US dollars of the priced calls; NULL when no call had a price
    message VARCHAR,               -- what it said at its end
    warnings BIGINT,               -- warnings in its log
    events BIGINT,                 -- events in its log
    bad_lines BIGINT               -- lines of its log that are no event
);
