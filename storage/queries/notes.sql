-- Notes and bookmarks of people, the newest first
SELECT t, author, episode, judging, event, kind, note FROM annotations
WHERE kind IN ('note', 'bookmark') AND NOT undone
ORDER BY t DESC;
