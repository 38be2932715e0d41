-- Scores by turn: what a judge makes of the site after each turn that changed it (`iwtui judge --every-turn`); of several judgings of a turn the latest. Key: episode, judge, model, turn. Columns as in judgings.
CREATE VIEW scores_by_turn AS
WITH placed AS (
    SELECT
        judgings.*,
        coalesce((
            SELECT max(turns.turn)
            FROM turns
            WHERE turns.episode = judgings.episode AND turns.turn <= judgings.turn_judged AND turns.files_changed > 0
        ), 0) AS turn
    FROM judgings
    WHERE status IN ('scored', 'crashed') AND tcr IS NOT NULL
)
SELECT
    episode, run, judge, model, judging, status, passed, failed, unobserved, unjudged, tcr, tcr_clean, sr, hallucinated,
    turn,                          -- the turn that made the site what was judged; 0 when no file was ever written
    tcr - lag(tcr) OVER by_turn AS tcr_change -- what the turn changed in tcr; NULL for the first
FROM (
    SELECT * FROM placed
    QUALIFY row_number() OVER (PARTITION BY episode, judge, model, turn ORDER BY started DESC, judging DESC) = 1
)
WINDOW by_turn AS (PARTITION BY episode, judge, model ORDER BY turn);
