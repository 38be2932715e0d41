-- Calls: every call of a model, discarded ones too. Key: episode, judging, event.
CREATE TABLE calls (
    episode VARCHAR NOT NULL,      -- episode
    judging VARCHAR,               -- judging; NULL within the episode itself
    run VARCHAR NOT NULL,          -- run
    turn BIGINT,                   -- turn
    event BIGINT NOT NULL,         -- seq of the event in its log
    t TIMESTAMP,                   -- when it ended (UTC)
    role VARCHAR,                  -- builder, copilot, client, judge, ..
    ordinal BIGINT,                -- number of the role's call within the turn
    model VARCHAR,                 -- model that was asked
    answered_by VARCHAR,           -- model that answered, as it says
    messages BIGINT,               -- messages in the request
    tokens_in BIGINT,              -- tokens sent; NULL when unknown
    tokens_out BIGINT,             -- tokens received; NULL when unknown
    cost DOUBLE,                   -- US dollars; NULL when unknown
    latency DOUBLE,                -- seconds; NULL when not measured
    finish_reason VARCHAR,         -- why the model stopped
    reply VARCHAR,                 -- its answer, or the beginning
    error VARCHAR,                 -- fault of the call, in words
    error_kind VARCHAR,            -- sort of fault
    attempt BIGINT,                -- number of the attempt at this call, from 1
    retried BOOLEAN,               -- whether the attempt failed and another followed it
    replayed BOOLEAN,              -- whether the answer came from the record of an earlier call
    discarded BOOLEAN,             -- whether a resume discarded it; what it cost still counts
    inherited BOOLEAN              -- whether a fork has it from its parent, which also paid for it
);
