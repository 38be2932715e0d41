-- Runs: what one command played, cases × builders × repeats.
CREATE TABLE runs (
    run VARCHAR NOT NULL,          -- name of the run, its folder in the store
    kind VARCHAR,                  -- run, replay, fork or import
    pack VARCHAR,                  -- task pack that the cases came from
    created TIMESTAMP,             -- when it was asked for (UTC)
    builders VARCHAR[],            -- model strings of the builders
    copilot VARCHAR,               -- model string of the visual copilot; NULL when not known
    client VARCHAR,                -- model string of the simulated client; NULL when not known
    judge VARCHAR,                 -- model string of the judge, or the name of a judge without a model
    primary_judge VARCHAR,         -- the judge whose score is shown
    cases BIGINT,                  -- number of cases
    repeats BIGINT,                -- repeats of each case by each builder
    planned BIGINT,                -- episodes to be played: cases × builders × repeats
    scripted BOOLEAN,              -- whether any role is played by a script instead of a model
    questions BIGINT,              -- questions that the client has time for; NULL for any number
    question_cost DOUBLE,          -- what an answered question costs, in points of TCR; NULL when it costs nothing
    conflict_challenges BIGINT,    -- challenges until the client gives a clashing wish up
    outside VARCHAR,               -- whether the sites may reach the network: block or allow
    sandbox VARCHAR,               -- what the sites ran in
    prompts JSON,                  -- hashes of the prompts by name
    versions JSON                  -- versions of the programs it was played with
);
