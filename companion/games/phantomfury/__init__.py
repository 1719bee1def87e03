"""Phantom Fury (Nuts! Publishing 2011): a Marine company in the Jolan district of Fallujah, November 2004.

Rules and the functions that carry them out, by the module below this folder:
rules.r03_die  11.2.2: hits, rules.r11_fire:expose, rules.r11_shot:shoot; 11.2.4: reach, hits, rules.r11_shot:shoot
rules.r04_by_hand  4.1.3: activate, rules.r05_suspects:activate_zone; 4.1.4: control;
    5.3.2: suspect, rules.r05_suspects:place_suspect
rules.r04_telling  4.3: _fill_section, rules.r06_setup:_map, rules.r04_look:look
rules.r05_losses  5.1.1.1: apply_loss, eliminate, rules.r13_melee:lose_step;
    5.1.1.2: ask_loss, rules.r13_melee:lose_step, captain.replies:_loss; 5.1.4.3: apply_loss;
    5.1.5.1: eliminate, rules.r13_ontable:OnTable.hero; 5.2.1: eliminate_enemy;
    11.5: pin, rules.r13_melee:pinned, rules.r13_melee:no_flooding
rules.r05_suspects  5.3.2.1: activate_zone, rules.r06_setup:_start_zones; 5.3.2.2, 5.3.2.3: free_location;
    5.3.3: activate_suspect, roll_activation, rules.r13_melee:went_off;
    5.3.4: roll_activation, rules.r13_melee:went_off, rules.r13_melee:reveal; 5.3.5: remove_suspect, activate_suspect
rules.r06_setup  4.1: _map; 5.1.1: _squads; 5.1.4.1: _caats; 5.1.6: _boxes; 6.0, 6.1: set_up; 6.1.1, 6.1.2, 6.1.3: _cups;
    6.2: _start_zones; 6.3: _boxes, _squads, set_up; 6.3.1: _caats; 15.0: _boxes
rules.r07_victory  7.0: finish, rules.r06_setup:set_up, referee:last_turn;
    7.1: end_of_turn, only_empty_mosque, captain.worth:hope; 7.2: end_of_turn, rules.r14_reorganisation:end_turn;
    7.2.1: count, captain.estimates:harm, referee:Fury.points; 7.2.2: level, players:Own.outcome
rules.r09_missions  9.1: call_up, rules.r09_support:mission, captain.estimates:Estimates.mission;
    9.4.1: roll_reaction, rules.r09_reaction:react
rules.r09_reaction  4.1.6: ruin, rules.r09_support:_fa18, referee:Fury.locations; 9.4.2: _concerned
rules.r09_support  9.2: ask_mission, unavailable; 9.2.1: missions_left; 9.3: unfit, _ah1w, _fa18
rules.r10_reinforcements  10.1: bring_squad, entry_zones, reinforce; 10.2: bring_tank, no_way_in, captain.replies:_section;
    10.3: bring_squad, captain.calls:_needed; 10.4: by_mosque, note_mosque, _together; 12.2.3.2: no_way_in, rules.r12_tanks:_taken
rules.r11_fire  4.1.2.1: zones_in_range; 11.1: fire, zones_in_range, captain.sight:Sight.guns; 11.1.1: no_target;
    11.1.2: ask_ammo; 11.1.2.1: ask_ammo, fire; 11.2: fire, captain.estimates:Estimates.shot; 11.2.3: fire;
    11.3: stays_with_others, captain.planner:firing;
    12.2.2: stays_with_others, rules.r12_movement:hemmed_in, rules.r12_stacking:crowding
rules.r11_shot  11.2.1: fire_modifiers
rules.r11_sniper  11.4.1: attack, rules.r11_fire:expose, rules.r11_fire:_after; 11.4.1.1, 11.4.1.2: after_fire, shot_back;
    11.4.2: crossing_results, rules.r13_muster:street_at, captain.estimates:Estimates.crossing; 11.4.2.1: in_street;
    11.4.2.2: in_street, captain.tanks:use; 11.4.2.3: in_street
rules.r12_defence  12.7.2: defence_modifiers, defence_result, meet; 12.7.3: meet
rules.r12_movement  4.2.1: _check_places; 4.3.1.1: _survey; 12.1.1: move, referee:Fury.held;
    12.1.2: Walk.cleared, rules.r12_paths:leaving; 12.3: move_squad, rules.r12_paths:ways; 12.3.1: Walk.go, plan;
    12.3.2.1: Walk.detach, put_element; 12.3.2.3: recover; 12.4.1: hemmed_in, plan; 12.4.2: _survey, rules.r12_paths:closed;
    12.4.3: no_withdrawal, withdraw, rules.r12_paths:covered; 12.5: move_squad, rules.r12_paths:ways;
    12.5.2: Walk.cross, captain.moves:risk; 12.5.3: Walk.hit, rules.r12_stacking:_crowded, Walk.cross;
    12.7: defend, captain.estimates:Estimates.entry, captain.moves:risk
rules.r12_paths  5.1.6.1: closed; 12.2: blocked; 12.3.2.2: closed, referee:Fury.cf; 12.4: blocked; 12.5.1: _strays;
    12.5.4: steps_from
rules.r12_stacking  12.2.1.1: _alone, rules.r12_paths:closed; 12.2.3.1: _in_streets
rules.r12_tanks  12.2.1.2: _taken; 12.6.1: move_tank, roll_capacity, captain.tanks:_near; 12.6.2: _reach;
    12.6.3: may_end, move_tank
rules.r13_advance  13.2: _type_rule; 13.4.7.2: advance, enter, open_assault
rules.r13_assault  4.2.2: aimless, ask_target, targets_of; 13.0: assault, captain.fights:assault_options;
    13.4: carry_out, rules.r13_described:described_assault, rules.r13_melee:assault_one;
    13.4.8: flooding, rules.r13_melee:flood_order, rules.r13_muster:left; 13.4.8.1: ahead, approach, rules.r13_melee:flooding_over
rules.r13_described  13.1, 13.3: ask_type, rules.r13_scene:assault_type
rules.r13_melee  4.1.5: no_flooding, pieces:fortified; 13.4.1: reveal; 13.4.2: aim, clash, resolve; 13.4.3: events, struck;
    13.4.3.1, 13.4.3.4: events; 13.4.7: results; 13.4.7.1: aftermath; 13.4.8.2: no_flooding;
    13.5: ied, rules.r13_advance:advance, resolve
rules.r13_muster  4.3.1.2: street_at, rules.r11_fire:zones_in_range; 12.7.1: defenders
rules.r13_ontable  5.1.5.2: OnTable.hero, rules.r13_melee:_effect; 13.4.3.3: OnTable.fanatic, referee:Fury.take_control;
    13.7.1: OnTable.clear_explosives, rules.r13_scene:Stage.explosives, rules.r13_melee:aim
rules.r13_retreat  4.1.7: retreat; 13.6.1: held_back; 13.6.2: open_routes, retreat, captain.fights:ways;
    13.6.2.1: _destination, retreat; 13.6.2.2, 13.6.2.3, 13.6.2.4: retreat; 13.6.3: _closed; 13.6.5: covered, _closed;
    13.6.6: _leave_map, _closed
rules.r13_scene  13.4.4, 13.4.6: weights; 13.6: Stage.retreat
rules.r14_regroup  14.3: regroup; 14.3.1, 14.3.2: _element_back; 14.3.3: regroup; 14.3.4: cover, steady, unpin; 14.3.5: regroup
rules.r14_reorganisation  14.1: end_turn, take_control; 14.1.2: take_control; 14.2: contact, surveyor:Surveyor._come_late;
    14.4: infiltrate, captain.sight:Sight.gaps, captain.sight:Sight.left_open; 14.4.1: bases, way_in; 14.4.2: _barred, way_in;
    14.4.3: infiltrate; 14.5: turn_markers, end_turn
captain.calls  9.0: mission_options; 10.0: reinforcement_options
captain.fights  11.0: fire_options
captain.moves  5.1.6.2: _patient; 12.0: move_options, captain.planner:moving, captain.sight:Sight.ways
captain.tanks  11.1.3: _aims, use; 12.6: tank_options
game  5.1.4, 5.1.5: PhantomFuryGame.marked; 14.0: PhantomFuryGame.actions
geography  4.2: _inside
pieces  5.1.3: is_ours; 12.3.2: element_of
referee  5.1.5.3: Fury.cf; 8.0: Fury.begin; 13.4.3.2: Fury.near_fury; 13.6.4: Fury.after_element; 14.1.1: Fury.take_control
surveyor  4.1.1, 4.1.2: Surveyor.around, geography:_links; 4.4: Surveyor.block
(Written by python -m tests.support.rule_map --write)
"""

from __future__ import annotations

from companion.core.game import Game, Tables
from companion.games.phantomfury.game import PhantomFuryGame


def make(tables: Tables) -> Game:
    """The game over its tables."""
    return PhantomFuryGame(tables)
