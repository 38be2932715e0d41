-- Episodes: of each planned episode the attempt that counts; forks and replays are left out. Columns as in attempts.
CREATE VIEW episodes AS
SELECT * EXCLUDE (counts) FROM attempts WHERE counts;
