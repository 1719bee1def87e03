"""Phantom Fury (Nuts! Publishing 2011): a Marine company in the Jolan district of Fallujah, November 2004.

Rules and the functions that carry them out, below this folder:
4.1  rules.r06_setup:_map
4.1.1  referee:Fury.around
4.1.2  referee:Fury.around
4.1.2.1  rules.r11_fire:zones_in_range
4.1.3  rules.r05_suspects:activate_zone
4.1.4  rules.r04_look:look, rules.r06_setup:set_up, referee:Fury.zones
4.1.5  rules.r13_melee:no_flooding, referee:fortified
4.1.6  rules.r09_reaction:ruin, rules.r09_support:_fa18, referee:Fury.locations
4.1.7  words.town:_of_zone
4.2  words.town:read_place
4.2.1  rules.r12_movement:_check_places
4.2.2  rules.r13_assault:ask_target, rules.r13_assault:assault, rules.r13_assault:targets_of
4.3  rules.r04_telling:_fill_section, rules.r06_setup:_map, rules.r04_look:look
4.3.1.1  words.town:Town.doors
4.3.1.2  rules.r13_muster:street_at, rules.r11_fire:zones_in_range
4.4  words.town:Town.block
5.1.1  rules.r06_setup:_squads
5.1.1.1  rules.r05_losses:apply_loss, rules.r05_losses:eliminate, rules.r13_melee:lose_step
5.1.1.2  rules.r05_losses:ask_loss, rules.r13_melee:lose_step
5.1.4.1  rules.r06_setup:_caats
5.1.4.3  rules.r05_losses:apply_loss
5.1.5.1  rules.r05_losses:eliminate, rules.r13_ontable:OnTable.hero
5.1.5.2  rules.r13_ontable:OnTable.hero
5.1.5.3  referee:Fury.cf
5.1.6  rules.r06_setup:_boxes
5.1.6.1  rules.r12_paths:closed
5.1.6.2  rules.r13_melee:events
5.2.1  rules.r05_losses:eliminate_enemy
5.3.2  rules.r05_suspects:place_suspect
5.3.2.1  rules.r05_suspects:activate_zone, rules.r06_setup:_start_zones
5.3.2.2  rules.r05_suspects:free_location
5.3.2.3  rules.r05_suspects:free_location
5.3.3  rules.r05_suspects:activate_suspect, rules.r05_suspects:roll_activation, rules.r13_melee:went_off
5.3.4  rules.r05_suspects:roll_activation, rules.r13_melee:went_off, rules.r13_melee:reveal
5.3.5  rules.r05_suspects:remove_suspect, rules.r05_suspects:activate_suspect
6.0  rules.r06_setup:set_up
6.1  rules.r06_setup:set_up
6.1.1  rules.r06_setup:_cups
6.1.2  rules.r06_setup:_cups
6.1.3  rules.r06_setup:_cups
6.2  rules.r06_setup:_start_zones
6.3  rules.r06_setup:_boxes, rules.r06_setup:_squads, rules.r06_setup:set_up
6.3.1  rules.r06_setup:_caats
7.0  rules.r07_victory:finish, rules.r06_setup:set_up
7.1  rules.r07_victory:end_of_turn, rules.r07_victory:only_empty_mosque
7.2  rules.r07_victory:end_of_turn, rules.r14_reorganisation:end_turn
7.2.1  rules.r07_victory:count, referee:Fury.points
7.2.2  rules.r07_victory:level
8.0  referee:Fury.begin
9.0  game:PhantomFuryGame.actions
9.1  rules.r09_missions:call_up, rules.r09_support:mission
9.2  rules.r09_support:ask_mission
9.2.1  rules.r06_setup:set_up, rules.r09_support:mission
9.3  rules.r09_support:_ah1w, rules.r09_support:_check, rules.r09_support:_fa18
9.4.1  rules.r09_missions:roll_reaction, rules.r09_reaction:react
9.4.2  rules.r09_reaction:_concerned
10.0  game:PhantomFuryGame.actions
10.1  rules.r10_reinforcements:bring_squad, rules.r10_reinforcements:entry_zones, rules.r10_reinforcements:reinforce
10.2  rules.r10_reinforcements:bring_tank
10.3  rules.r10_reinforcements:bring_squad
10.4  rules.r10_reinforcements:note_mosque, rules.r10_reinforcements:reinforce, rules.r10_reinforcements:bring_squad
11.0  game:PhantomFuryGame.actions
11.1  rules.r11_fire:fire, rules.r11_fire:zones_in_range
11.1.1  rules.r11_fire:no_target
11.1.2  rules.r11_fire:ask_ammo
11.1.2.1  rules.r11_fire:ask_ammo, rules.r11_fire:fire
11.1.3  rules.r11_fire:cannot_fire, rules.r11_fire:no_target
11.2  rules.r11_fire:fire
11.2.1  rules.r11_shot:fire_modifiers
11.2.2  rules.r03_die:hits, rules.r11_fire:expose, rules.r11_shot:shoot
11.2.3  rules.r11_fire:fire
11.2.4  rules.r03_die:hits, rules.r11_shot:shoot
11.3  rules.r11_fire:cannot_fire, rules.r11_fire:fire, rules.r12_movement:cannot_move
11.4.1  rules.r11_sniper:attack, rules.r11_fire:expose
11.4.1.1  rules.r11_sniper:after_fire
11.4.1.2  rules.r11_sniper:after_fire
11.4.2  rules.r13_muster:street_at
11.4.2.1  rules.r11_sniper:in_street
11.4.2.2  rules.r11_sniper:in_street
11.4.2.3  rules.r11_sniper:in_street
11.5  rules.r05_losses:pin, rules.r13_melee:pinned, rules.r13_melee:no_flooding
12.0  game:PhantomFuryGame.actions
12.1.1  rules.r12_movement:cannot_move, rules.r12_movement:move
12.1.2  rules.r12_paths:leaving
12.2  rules.r12_paths:blocked
12.2.1.1  rules.r12_paths:closed
12.2.1.2  referee:Fury.enemy_at
12.2.2  referee:Fury.check_stacking
12.2.3.1  rules.r12_paths:order_notation
12.2.3.2  rules.r10_reinforcements:bring_tank, rules.r12_paths:blocked, rules.r12_tanks:_reach
12.3  rules.r12_movement:move_squad
12.3.1  rules.r12_movement:Walk.go
12.3.2  referee:element_of
12.3.2.1  rules.r12_movement:Walk.detach
12.3.2.2  rules.r12_paths:closed, referee:Fury.cf
12.3.2.3  rules.r12_movement:recover
12.4  rules.r12_paths:blocked
12.4.1  rules.r12_movement:move_squad, rules.r12_movement:Walk.step, rules.r12_movement:Walk.untold
12.4.2  rules.r12_paths:closed
12.4.3  rules.r12_movement:withdraw, rules.r12_paths:_through, rules.r12_paths:leaving
12.5  rules.r12_movement:move_squad
12.5.1  rules.r04_untracked:cross_untold, rules.r12_movement:Walk.step, rules.r12_movement:_zones_around
12.5.2  rules.r04_untracked:cross_untold, rules.r12_movement:Walk.cross
12.5.3  rules.r12_movement:Walk.hit, rules.r12_movement:Walk.cross
12.5.4  rules.r12_paths:steps_from
12.6.1  rules.r12_tanks:move_tank, rules.r12_tanks:roll_capacity
12.6.2  rules.r12_tanks:move_tank, rules.r12_tanks:_survey, rules.r12_tanks:_read
12.6.3  rules.r12_tanks:may_end, rules.r12_tanks:move_tank
12.7  rules.r04_untracked:defend_there, rules.r12_movement:defend
12.7.1  rules.r13_muster:defenders
12.7.2  rules.r12_defence:defence_modifiers, rules.r12_defence:defence_result, rules.r12_defence:meet
12.7.3  rules.r12_defence:meet
13.0  rules.r13_assault:assault
13.1  rules.r13_described:ask_type, rules.r13_scene:assault_type
13.2  rules.r13_assault:_type_rule
13.3  rules.r13_described:ask_type, rules.r13_scene:assault_type
13.4  rules.r04_untracked:assault_there, rules.r13_assault:carry_out, rules.r13_described:described_assault
13.4.1  rules.r13_melee:reveal
13.4.2  rules.r13_melee:clash, rules.r13_melee:resolve, rules.r13_melee:results
13.4.3  rules.r13_melee:events
13.4.3.1  rules.r13_melee:events
13.4.3.2  referee:Fury.near_fury
13.4.3.3  rules.r13_ontable:OnTable.fanatic, referee:Fury.take_control
13.4.3.4  rules.r13_melee:events
13.4.4  rules.r13_scene:weights
13.4.6  rules.r13_scene:weights
13.4.7  rules.r13_melee:results
13.4.7.1  rules.r13_melee:aftermath
13.4.7.2  rules.r13_assault:comes_down, rules.r13_assault:enter, rules.r13_assault:why_not_there
13.4.8  rules.r13_assault:flooding, rules.r13_assault:left, rules.r13_melee:flood_order
13.4.8.1  rules.r13_assault:approach, rules.r13_melee:flooding_over
13.4.8.2  rules.r13_melee:no_flooding
13.5  rules.r13_melee:ied, rules.r13_melee:resolve
13.6  rules.r13_scene:Stage.retreat
13.6.1  rules.r13_retreat:held_back
13.6.2  rules.r13_retreat:retreat
13.6.2.1  rules.r13_retreat:_destination, rules.r13_retreat:retreat
13.6.2.2  rules.r13_retreat:retreat
13.6.2.3  rules.r13_retreat:retreat
13.6.2.4  rules.r13_retreat:retreat
13.6.3  rules.r13_retreat:_closed
13.6.4  referee:Fury.after_element
13.6.5  rules.r13_retreat:covered, rules.r13_retreat:_closed
13.6.6  rules.r13_retreat:_leave_map, rules.r13_retreat:_closed
13.7.1  rules.r13_ontable:OnTable.clear_explosives, rules.r13_scene:Stage.explosives, rules.r13_scene:weights
14.0  game:PhantomFuryGame.actions
14.1  rules.r14_reorganisation:end_turn, rules.r14_reorganisation:take_control
14.1.1  referee:Fury.take_control
14.1.2  rules.r14_reorganisation:take_control
14.2  rules.r14_reorganisation:contact
14.3  rules.r14_regroup:regroup
14.3.1  rules.r14_regroup:_element_back
14.3.2  rules.r14_regroup:_element_back
14.3.3  rules.r14_regroup:regroup
14.3.4  rules.r14_regroup:cover, rules.r14_regroup:steady, rules.r14_regroup:unpin
14.3.5  rules.r14_regroup:regroup
14.4  rules.r14_reorganisation:infiltrate
14.4.1  rules.r14_reorganisation:infiltrate, referee:Fury.lose_control
14.4.2  rules.r14_reorganisation:_barred
14.4.3  rules.r14_reorganisation:infiltrate
14.5  rules.r14_reorganisation:turn_markers, rules.r14_reorganisation:end_turn
15.0  rules.r06_setup:_boxes
(Written by python -m tests.support.rule_map --write)
"""

from __future__ import annotations

from companion.core.game import Game, Tables
from companion.games.phantomfury.game import PhantomFuryGame


def make(tables: Tables) -> Game:
    """The game over its tables."""
    return PhantomFuryGame(tables)
