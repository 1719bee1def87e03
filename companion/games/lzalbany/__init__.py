"""LZ Albany: Ia Drang Valley, 17-18 November 1965 (Modern War 24, Decision Games 2016).

Rules and the functions that carry them out, by the module below this folder:
rules.r02_board  2.2: arrange, rules.r02_map:load_map; 2.4: counter, rules.r03_setup:make_counters
rules.r02_map  6.2: learn_beside, rules.r06_movement:carry_out, rules.r06_movement:move_action;
    7.4: in_range, rules.r07_mortars:mortar_fire, rules.r07_mortars:_hits_home;
    7.6(1): next_door, rules.r07_air:in_reach, rules.r07_air:_known_reach; 7.8: in_sight, seen_after_all, spotted; 11.1A: in_sight
rules.r03_events  3.5: event_phase, take_effect, _event;
    3.8: clear_incidents, rules.r03_turn:administrative, rules.r03_turn:_chits_back
rules.r03_setup  3.2: free_areas, set_up, _circles; 3.2A: set_up; 3.2B: make_chits; 3.2C: deploy, _check_places;
    3.2D: _clearings, _check_places; 3.2E: deploy, _check_places; 3.2F: _check_places; 3.4: reinforce;
    5.1: make_chits, rules.r05_chits:draw_chit, rules.r03_turn:_chits_back
rules.r03_turn  3.3: go_on, players:Own.player
rules.r04_victory  4.1: count, final_count, rules.r08_hits:Wishes.points; 4.1C: control;
    4.3: fallen, final_count, players:Own.outcome
rules.r05_chits  3.6: draw_chit, end_of_action_phase; 5.2: fire_move, _group, _plan; 5.2A: _action, _group, _plan;
    5.3: adrenaline, _other, _rapid; 5.5: _support, _other; 6.2B: _rapid; 8.4C, 8.4D: _wounded, end_of_action_phase;
    11.2: flares, _wounded, referee:LzAlbany.dark
rules.r05_retreat  5.2E: check_all_go, check_way, flees
rules.r06_dust_off  5.5C: dustoff_chit; 6.3: evacuate, hot, landing_odds; 6.4: airlift; 8.4B: evacuate
rules.r06_movement  6.2C: _able; 7.2: melees, rules.r07_melee:melee, rules.r07_fire:fire_action;
    10.1: lone_officers, _alone, rules.r07_melee:activate; 10.2: carry_out
rules.r06_stacking  7.2(1): melee_pool, rules.r07_melee:clash, rules.r07_melee:_attack;
    7.3(2), 7.3(3): fire_pools, pool_at, rules.r07_infantry:in_vain
rules.r06_ways  6.1: check_stacks, room_in, rules.r03_setup:free_areas;
    6.2A: leaders_of, rules.r06_movement:_able, rules.r05_retreat:must_go; 6.5: check_exit, shut_in, rules.r06_movement:_columbus;
    8.4A: check_carried; 10.3: check_led, led_along, rules.r02_map:spotted
rules.r07_air  4.1B: air_casualty, rules.r07_melee:_columbus_points;
    5.6: grounded, rules.r05_chits:_support, rules.r05_chits:_other; 7.6: gunships_chit; 7.6(2): strafe;
    7.6(3): gunship_strength, strafe; 7.6(4): strafe; 7.7: skyraider_chit, rules.r02_map:next_door, in_reach; 7.7A: bombs;
    7.7A(1), 7.7A(2): bomb; 7.7A(3): _collateral; 7.7B: napalm; 7.7B(1): burn, _burn; 7.7B(2): burn; 7.7B(3): _spread;
    11.1C: grounded
rules.r07_artillery  5.4: artillery_chit, rules.r05_chits:_support, rules.r05_chits:_other; 5.4A: batteries; 5.4B: silenced;
    7.2B: silenced, rules.r07_melee:_defence; 7.5: _one; 7.5(1): artillery_targets, _barred; 7.5(2): shell, _lands;
    7.5(3), 7.5(5): bombard, shell
rules.r07_fire  7.3: fire_action, rules.r07_infantry:ranged_targets, rules.r02_map:learn_beside
rules.r07_infantry  7.2A: ranged_targets; 7.3(1): infantry_fire, rules.r07_fire:_next_combat, _targets;
    7.3(4): Shot.check, Shot.fire, ranged_targets; 7.3(5): Answer.check, Answer.fire, answer_pool; 7.3(6): _advance
rules.r07_melee  5.2D: activate, can_join, joining; 7.2(2): _defence, rules.r06_stacking:melee_pool, clash; 7.2(3): clash;
    7.2(3b): _hits, clash; 7.2(4): retreat, _refuges, _retreats; 7.2(5): retreat, _retreats; 7.2(6): _retreats; 11.1D: _found
rules.r07_mortars  7.4(1): mortar_targets, _aim, _legal; 7.4(2): barrage, mortar_choices, mortar_pool; 7.4(3): _resolve;
    7.4(4): _astray, _resolve; 7.4(5): _resolve; 11.1B: mortar_choices, rules.r07_infantry:in_vain
rules.r08_hits  8.1: place_hits, rules.r08_placing:take_hits, referee:Book.placed;
    8.2: Target.struck, referee:LzAlbany.apply_hits, referee:LzAlbany.destroy_wounded
rules.r08_placing  7.5(4): chosen_by, rules.r07_artillery:bombard, rules.r07_artillery:shell;
    10.4: casualty_die, rules.r07_infantry:Answer.check, rules.r07_infantry:Shot.check
rules.r09_rally  3.7: rally_phase; 8.3: hit_units, rules.r06_movement:_able; 9.0: hit_units; 9.1: rally; 9.2: whom, rally
game  2.3: AlbanyGame.banner
referee  4.2: LzAlbany.milestones, players:Own.outcome; 7.1: LzAlbany.count; 8.4: LzAlbany.destroy_wounded; 11.0: LzAlbany.night;
    11.1: LzAlbany.dark
(Written by python -m tests.support.rule_map --write)
"""

from __future__ import annotations

from companion.core.game import Game, Tables
from companion.games.lzalbany.game import AlbanyGame


def make(tables: Tables) -> Game:
    """The game over its tables."""
    return AlbanyGame(tables)
