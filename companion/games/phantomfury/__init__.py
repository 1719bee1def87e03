"""Phantom Fury (Nuts! Publishing 2011): a Marine company in the Jolan district of Fallujah, November 2004.

Rules and the functions that carry them out, below this folder:
4.1  setup:_map
4.1.1  referee:Fury.around, town:Town.adjacent
4.1.2  town:Town.near, referee:Fury.around
4.1.2.1  fire:zones_in_range
4.1.3  suspects:activate_zone
4.1.4  look:look, referee:Fury.zones, referee:controlled
4.1.5  referee:fortified
4.1.6  reaction:ruin, referee:Fury.locations, support:_fa18
4.1.7  town:_of_zone
4.2  town:read_place
4.2.1  movement:_check_places
4.2.2  town:Town.next_to
4.3  form:_fill_section, setup:_map, form:fill_zone
4.3.1.1  town:Town.doors
4.3.1.2  fire:zones_in_range
4.4  town:Town.block
5.1.1  setup:_squads
5.1.1.1  losses:apply_loss, losses:eliminate, melee:lose_step
5.1.1.2  losses:ask_loss, melee:lose_step
5.1.4.1  setup:_caats
5.1.4.3  losses:apply_loss
5.1.5.1  losses:eliminate, ontable:Table.hero
5.1.5.2  ontable:Table.hero
5.1.5.3  referee:squad_cf, scene:Fighter.now
5.1.6  setup:_boxes
5.1.6.1  paths:blocked, assault:why_not_there
5.1.6.2  melee:events
5.2.1  losses:eliminate_enemy
5.3.2  suspects:place_suspect
5.3.2.1  suspects:activate_zone, setup:_start_zones
5.3.2.2  counters:priorities, suspects:free_location
5.3.2.3  suspects:free_location
5.3.3  suspects:activate_suspect, suspects:activation, melee:unmask
5.3.4  suspects:activation, melee:unmask
5.3.5  suspects:remove_suspect, suspects:activate_suspect
6.0  setup:set_up
6.1  setup:set_up
6.1.1  setup:_cups
6.1.2  setup:_cups
6.1.3  setup:_cups
6.2  setup:_start_zones
6.3  setup:_boxes, setup:_squads, setup:set_up
6.3.1  setup:_caats
7.0  victory:finish, setup:set_up
7.1  victory:end_of_turn, victory:only_empty_mosque
7.2  victory:end_of_turn, reorganise:end_turn
7.2.1  referee:Fury.points, victory:count
7.2.2  victory:level
8.0  referee:Fury.begin
9.0  game:PhantomFuryGame.actions
9.1  support:chain_odds, support:mission
9.2  support:ask_mission
9.2.1  setup:set_up, support:mission
9.3  support:_ah1w, support:_check, support:_fa18
9.4.1  reaction:react
9.4.2  reaction:_concerned
10.0  game:PhantomFuryGame.actions
10.1  reinforcements:bring_squad, reinforcements:entry_zones, reinforcements:reinforce
10.2  reinforcements:bring_tank
10.3  reinforcements:bring_squad
10.4  reinforcements:note_mosque, reinforcements:reinforce, reinforcements:bring_squad
11.0  game:PhantomFuryGame.actions
11.1  fire:fire, fire:zones_in_range
11.1.1  fire:no_target
11.1.2  fire:ask_ammo
11.1.2.1  fire:ask_ammo, fire:fire
11.1.3  fire:cannot_fire, fire:no_target
11.2  fire:fire
11.2.1  fire:fire_modifiers
11.2.2  fire:expose, fire:fire_hits
11.2.3  fire:fire
11.2.4  fire:fire_hits
11.3  assault:why_not, fire:cannot_fire, fire:fire
11.4.1  sniper:attack, fire:expose
11.4.1.1  sniper:after_fire
11.4.1.2  sniper:after_fire
11.4.2  chances:crossing_results
11.4.2.1  sniper:in_street
11.4.2.2  sniper:in_street
11.4.2.3  sniper:in_street
11.5  losses:pin, melee:pinned
12.0  game:PhantomFuryGame.actions
12.1.1  movement:cannot_move, movement:move
12.1.2  paths:leaving
12.2  paths:blocked
12.2.1.1  assault:why_not_there, paths:blocked
12.2.1.2  referee:Fury.enemy_at
12.2.2  referee:Fury.check_stacking
12.2.3.1  paths:order_notation
12.2.3.2  paths:blocked, reinforcements:bring_tank, tanks:_reach
12.3  movement:move_squad
12.3.1  movement:Walk.go
12.3.2  referee:element_of
12.3.2.1  movement:Walk.detach
12.3.2.2  assault:why_not_there, movement:Walk.detach, paths:blocked
12.3.2.3  movement:recover
12.4  paths:blocked
12.4.1  movement:move_squad, movement:Walk.step, movement:Walk.untold
12.4.2  paths:blocked, assault:why_not_there, movement:move_squad
12.4.3  movement:withdraw, paths:_through, paths:leaving
12.5  movement:move_squad
12.5.1  movement:Walk.step, town:Town.streets_at, untracked:cross_untold
12.5.2  movement:Walk.cross, untracked:cross_untold
12.5.3  movement:Walk.hit, movement:Walk.cross
12.5.4  paths:steps_from
12.6.1  movement:capacity_of, movement:roll_capacity, tanks:move_tank
12.6.2  tanks:move_tank, tanks:_survey, tanks:_read
12.6.3  tanks:may_end, tanks:move_tank
12.7  movement:defend, untracked:defend_there
12.7.1  movement:defend, untracked:defend_there
12.7.2  defence:defence_modifiers, defence:defence_result, defence:meet
12.7.3  defence:meet
13.0  assault:assault
13.1  assault:assault_type
13.2  assault:_type_rule
13.3  assault:assault_type
13.4  assault:carry_out, melee:assault_one, untracked:assault_there
13.4.1  melee:unmask
13.4.2  melee:clash, melee:results, scene:hits
13.4.3  melee:events
13.4.3.1  melee:events
13.4.3.2  referee:Fury.near_fury
13.4.3.3  referee:Fury.take_control, ontable:Table.fanatic
13.4.3.4  melee:events
13.4.4  scene:enemy_modifiers, scene:squad_modifiers
13.4.6  scene:enemy_modifiers, scene:squad_modifiers
13.4.7  melee:results
13.4.7.1  melee:aftermath
13.4.7.2  assault:enter, assault:will_flood, melee:may_flood
13.4.8  assault:flooding, assault:next_target, melee:flood_order
13.4.8.1  assault:approach
13.4.8.2  melee:may_flood
13.5  melee:ied
13.6  scene:Field.retreat
13.6.1  retreat:held_back
13.6.2  retreat:retreat
13.6.2.1  retreat:_destination, retreat:retreat
13.6.2.2  retreat:retreat
13.6.2.3  retreat:retreat
13.6.2.4  retreat:retreat
13.6.3  retreat:_closed
13.6.4  movement:after_element
13.6.5  retreat:covered, retreat:_closed
13.6.6  retreat:_leave_map, retreat:_closed
13.7.1  ontable:Table.clear_explosives, scene:Field.explosives
14.0  game:PhantomFuryGame.actions
14.1  reorganise:end_turn, reorganise:take_control
14.1.1  referee:Fury.take_control
14.1.2  reorganise:take_control
14.2  reorganise:contact
14.3  reorganise:regroup
14.3.1  reorganise:_element_back
14.3.2  reorganise:_element_back
14.3.3  reorganise:regroup
14.3.4  reorganise:regroup_modifier, reorganise:unpin
14.3.5  reorganise:regroup
14.4  reorganise:infiltrate
14.4.1  reorganise:infiltrate, referee:Fury.lose_control
14.4.2  reorganise:_barred
14.4.3  reorganise:infiltrate
14.5  reorganise:turn_markers, reorganise:end_turn
15.0  setup:_boxes
(Written by python -m tests.support.rule_map --write)
"""

from __future__ import annotations

from companion.core.game import Game, Tables
from companion.games.phantomfury.game import PhantomFuryGame


def make(tables: Tables) -> Game:
    """The game over its tables."""
    return PhantomFuryGame(tables)
