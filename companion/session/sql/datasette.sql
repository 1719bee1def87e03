-- The queries that Datasette offers beside the views, each with its name and title.

-- results: Sessions by result, branches included
SELECT game, verdict, count(*) AS games, round(avg(score), 1) AS score FROM v_results GROUP BY game, verdict;

-- dice: How the dice of each session fell, by who rolled them
SELECT session, who, face, count(*) AS dice FROM v_dice WHERE in_force GROUP BY session, who, face;

-- dice_for: Dice of a session by what they were rolled for
SELECT key, rule, count(*) AS dice, round(avg(face), 2) AS mean FROM v_dice
WHERE in_force AND session = :session GROUP BY key, rule ORDER BY dice DESC;

-- tracks: The tracks of a session over its entries
SELECT entry, track, value FROM v_tracks WHERE session = :session ORDER BY entry;

-- thought: What was thought about longest
SELECT session, entry, key, value, seconds FROM v_decisions WHERE in_force AND seconds < 3600
ORDER BY seconds DESC LIMIT 50;

-- worst: The decisions that cost most, of all reviewed sessions
SELECT session, entry, reply, key, value, best, grade, win_loss, win_loss_error, loss, loss_error FROM v_decisions
WHERE grade IN ('inaccuracy', 'mistake', 'blunder') ORDER BY coalesce(win_loss, 0) DESC, loss DESC LIMIT 50;

-- moves: Where a piece has been
SELECT entry, was, now, why FROM v_moves WHERE session = :session AND piece = :piece AND in_force;

-- story: A session entry by entry
SELECT entry, action, args, lines FROM v_entries WHERE session = :session AND status = 'in force';
