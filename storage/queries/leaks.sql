-- What the client told without being asked for it
SELECT d.episode, d.turn, d.question, d.reply, d.retrieved, d.leaked
FROM dialogue d
WHERE len(d.leaked) > 0 AND NOT d.inherited
ORDER BY d.episode, d.turn;
