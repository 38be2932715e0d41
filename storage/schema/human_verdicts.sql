-- What people say together of a slot of a judging: the majority of those who decided. Key: episode, judging, slot.
CREATE TABLE human_verdicts (
    episode VARCHAR NOT NULL,      -- episode
    judging VARCHAR NOT NULL,      -- judging that is overruled or borne out
    run VARCHAR NOT NULL,          -- run
    slot BIGINT NOT NULL,          -- number of the slot, from 0
    verdict VARCHAR,               -- passed or failed; NULL when it is disputed, or nobody decided
    disputed BOOLEAN,              -- whether as many say pass as fail
    passes BIGINT,                 -- authors who say pass
    fails BIGINT,                  -- authors who say fail
    unsures BIGINT,                -- authors who are unsure; they count for nobody
    authors VARCHAR[]              -- all of them, by name
);
