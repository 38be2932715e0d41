-- Attempts: every attempt at every episode, forks and replays too. Key: episode.
CREATE TABLE attempts (
    episode VARCHAR NOT NULL,      -- name of the attempt: run/case.builder.repeat.attempt
    run VARCHAR NOT NULL,          -- run
    case_id VARCHAR,               -- id of the case
    pack VARCHAR,                  -- task pack
    seed VARCHAR,                  -- id of the seed
    persona VARCHAR,               -- id of the persona
    difficulty VARCHAR,            -- easy, middle or hard; NULL when the case is not known
    language VARCHAR,              -- language of the instruction
    builder VARCHAR,               -- model string of the builder
    repeat BIGINT,                 -- repeat, from 1
    attempt BIGINT,                -- attempt at this repeat, from 1
    counts BOOLEAN,                -- whether it is the attempt that counts: the latest scored or crashed, else the latest; never a fork or a replay
    parent VARCHAR,                -- of a fork: the episode that it goes on from; else NULL
    fork_turn BIGINT,              -- of a fork: the turn of its parent at which it goes another way
    fork_way VARCHAR,              -- of a fork: again, ask, answer, builder, prompt or edit
    scripted BOOLEAN,              -- whether a script played a role
    status VARCHAR,                -- scored, crashed (by the site's own fault), infra (by a fault of ours), cancelled or running
    stop_reason VARCHAR,           -- why it ended: submitted, turns, deadlock, site, model, browser, machine or person
    started TIMESTAMP,             -- first event (UTC); of an imported episode the time of its log file
    seconds DOUBLE,                -- from the first event to the last, without the time between a break and its resume; NULL for an imported one
    turns BIGINT,                  -- turns played
    actions VARCHAR,               -- the actions in order: C clarify, I implement, V verify, S submit, M malformed
    clarifies BIGINT,              -- turns that asked the client
    implements BIGINT,             -- turns that wrote code
    verifies BIGINT,               -- turns that looked at the site
    failed_verifies BIGINT,        -- Verifies that did not succeed
    malformed BIGINT,              -- turns lost to an answer that could not be read
    conflicts BIGINT,              -- turns in the message of which actions of several kinds stood
    steal_steps BIGINT,            -- turns with two kinds of action, of which the code came first
    blind_executions BIGINT,       -- turns with two kinds of action, of which the code came last
    question_cost DOUBLE,          -- what its answered questions cost, in points of TCR (0 to 1), beside tcr and never in it; NULL when the run has no cost
    leaks BIGINT,                  -- facts that the client disclosed without being asked for them; NULL for an imported one
    calls BIGINT,                  -- calls of models, discarded ones too
    tokens_in BIGINT,              -- tokens sent, as far as known; NULL when no call told any
    tokens_out BIGINT,             -- tokens received, as far as known; NULL when no call told any
    cost DOUBLE,                   -- US dollars of the priced calls, discarded ones too; NULL when no call had a price
    unpriced_calls BIGINT,         -- calls whose price is not known
    loc BIGINT,                    -- lines of code in the last manifest
    files BIGINT,                  -- files in the last manifest
    manifest VARCHAR,              -- blob of the last manifest
    tcr DOUBLE,                    -- task completion rate 0 to 1, over all slots; crashed 0; NULL unless scored or crashed
    tcr_clean DOUBLE,              -- the same over POSITIVE slots only, as in the published table
    tcr_human DOUBLE,              -- tcr after people's verdicts on the primary judging; NULL when nobody decided any of its slots
    n_human BIGINT,                -- slots of the primary judging that people decided, or dispute
    n_overridden BIGINT,           -- slots of them on which people say otherwise than the judge
    n_disputed BIGINT,             -- slots of them on which as many say pass as fail; they keep the judge's verdict
    sr BOOLEAN,                    -- every slot passed
    hallucinated BOOLEAN,          -- a slot of kind unrequested failed; NULL when that was not seen
    chr DOUBLE,                    -- clarification hit rate, 0 to 1; NULL when not measured, or when nothing was asked
    ias DOUBLE,                    -- intent alignment score, 1 to 5; NULL when not measured
    vbr DOUBLE,                    -- 1 when the site has a visual bug, else 0; NULL when not measured
    layout DOUBLE,                 -- visual layout, 1 to 5; NULL when not measured
    creative_alignment DOUBLE,     -- how the looks fit the instruction, 1 to 5; NULL when not measured
    aesthetics DOUBLE,             -- overall aesthetics, 1 to 5; NULL when not measured
    judging VARCHAR,               -- the primary judging, whose score this is
    judge VARCHAR,                 -- the judge of that judging
    resumes BIGINT,                -- how often a new runner went on with it
    discarded BIGINT,              -- events that a resume discarded
    warnings BIGINT,               -- warnings in its log
    events BIGINT,                 -- events in its log
    bad_lines BIGINT               -- lines of its log that are no event
);
