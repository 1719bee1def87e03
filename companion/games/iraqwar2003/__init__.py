"""Iraq War 2003 (Simulation Journal, version 1.2 of the English rules).

Rules and the functions that carry them out, by the module below this folder:
rules.r02_map  2.1: ask_orientation, rules.r12_reach:front_of, rules.r03_setup:_told_map; 2.1.1(2): ask_terrain;
    12.2: ask_water, rules.r09_zones:walk, rules.r12_movement:cost_of_a_way;
    13.3(3): ask_water, rules.r13_declare:_beside, rules.r13_declare:_check_side
rules.r03_setup  2.1.2: _told_sites, referee:IraqWar.open_display; 2.1.3, 2.3.1: _air_units; 3.0: set_up, _on_the_map;
    4.0: set_up, rules.r04_turn:end_of_turn, referee:IraqWar.side; 6.1.2: _told_sites, referee:IraqWar.open_display;
    16.0: set_up, referee:IraqWar.on, referee:rule_on; 16.1(1), 16.1(2): _palace, rules.r06_facility_bombing:_marker_plan
rules.r04_actions  4.1(4-1): check_acting, rules.r04_operations:_said; 4.1(4-3): finish;
    7.3.1(1): fit_to_act, unfit, rules.r04_operations:_movers;
    7.3.3: beyond_recovery, rules.r04_operations:recover, rules.r04_sequence:nobody_disrupted; 12.1(6): check_acting;
    16.4(6): beyond_recovery, coalition.sorties:_silenced
rules.r04_operations  2.2: enter_units, rules.r03_setup:_told_units, referee:IraqWar.enter;
    4.1(4): operate, rules.r04_sequence:acting, rules.r04_sequence:operations;
    10.0(6): mover_of, rules.r12_movement:movement_value; 11.2(1): _movers; 11.2(2): _recover; 12.1(1): _movers; 12.1(2): _way;
    12.3(1): _act, rules.r13_declare:_check_zones; 16.6(4): mover_of, rules.r12_movement:movement_value
rules.r04_sequence  11.3: unpaid, rules.r11_command_points:check_paid, acting; 16.2(1): dropped; 16.7(1), 16.7(2): railway_used;
    16.8(1): too_late, referee:reinforcements_due, referee:not_in_play; 16.10(1): acting, rules.r11_command_points:_needy;
    16.10(2): _turks
rules.r04_turn  2.1.5(1): end_of_turn; 4.1, 4.2: end_player_turn; 4.2(1): end_player_turn, rules.r04_sequence:until;
    4.3: end_of_turn; 4.3(1): _air_units_return; 4.3(2): end_of_turn
rules.r05_air_combat  2.3.2, 2.5.3: anti_air; 5.2(3), 5.2(4): fly, rules.r05_missions:carry_out;
    5.2(5): _arrive, fly, rules.r05_missions:carry_out; 5.5: air_combat, air_combats; 5.5(1), 5.5(2): air_combat;
    5.5(3): choose_target, targets_of; 5.5(4): targets_of; 5.5(5): hits_on, shoot;
    5.5(6): hit_fate, rules.r05_display:strike, rules.r05_air_groups:_away; 5.5(7), 5.5(8), 5.5(9): air_combat; 5.6: anti_air;
    5.6(1): hits_on, shoot; 5.6(2): hit_fate, rules.r05_display:strike; 5.6(3): anti_air; 5.6(4): fly;
    5.6.1(1): anti_air, rules.r05_display:TableDisplay.untouchable; 5.7: _arrive, referee:figures_of; 5.7(1): drop_bombs, hits_on;
    5.7(3): bombing_value, rules.r07_ground_bombing:_in_city, rules.r07_ground_bombing:_kinds; 6.3(5): anti_air
rules.r05_air_groups  2.1.4: _away, _spent; 2.5.4(1): _naval; 2.5.4(2): _spent; 5.1.1(2): group_notation;
    5.2(6): spend, rules.r05_missions:carry_out; 5.3: barred, check_unit, ready_for;
    5.4.1: not_to_be_intercepted, rules.r05_interception:_named, rules.r13_support:may_be_met; 5.4.1(1): unseen;
    5.4.1(2): without_radar; 5.4.1(3): without_airfields; 5.5(10), 5.7(2): spend; 5.8.1(3): without_radar;
    5.8.2: without_airfields, rules.r13_support:_able; 5.8.2(2): without_airfields, coalition.sorties:facilities
rules.r05_display  5.8.2(1): shot_down, rules.r05_missions:bombers, referee:IraqWar.airfields_left;
    13.3(2-1), 13.3(2-3): TableDisplay.supported, rules.r05_air_combat:_arrive
rules.r05_interception  5.1.1(3): _notation; 5.2(2): interceptions, _nobody
rules.r05_missions  5.2(1): declare, rules.r06_facility_bombing:placed, coalition.sorties:propose_raids; 5.3(1): declare;
    5.3(4): bombers; 5.3.1(1): _ask_group, declare
rules.r06_facility_bombing  4.1(1), 5.1(1): facility_phase; 6.2: _ask_targets, _target_of; 6.3: _box_plan, _kinds; 6.4: _hit;
    6.4(1), 6.4(4): _consequence
rules.r07_ground_bombing  4.1(2): ground_phase; 5.1.1(4): _worth_a_bomb; 5.8.1: sectors_of, _met; 5.8.1(1): sectors_of;
    7.0: _check_victim; 7.1: _target_of, ground_phase, coalition.sorties:propose_raids; 7.1(1), 7.1(2): _ask_targets;
    7.2: _kinds, _met; 7.2(1): _aim, _met; 7.2(2): fire_of_the_west; 7.2(3): _roads_are_defended; 7.3: _hit; 7.3.2: _worth_a_bomb;
    7.4: _hit; 13.3(2-2): fire_of_the_west, rules.r13_support:_supporting; 16.4(3), 16.4(5): _met; 16.10(6): _check_victim
rules.r08_stacking  8.1: check_hex, rules.r12_reach:Field.fits, wild:_fit; 8.1(1): faults; 8.1(2): size;
    8.1(3): faults, rules.r15_control:ask_taken; 8.2: check_stack; 8.2(1): ask_stack, _name_others, rules.r16_options:_together;
    8.2(2): ask_stack; 8.2(3): size; 8.2(4): faults; 8.2 Penalty: check_stack; 12.1(4): _name_others
rules.r09_zones  9.0, 9.0(2), 9.0(3), 9.0(4): zones; 10.0(2): at_home, distance_home, rules.r10_line:line_of;
    12.2(4): walk, rules.r12_paths:told_by; 12.3: enemy_zones, rules.r12_movement:zone_cost, rules.r12_paths:_say_zones;
    13.5(2): retreat_hexes, rules.r13_retreat:_how; 13.5(3), 13.5(4): retreat_hexes, rules.r13_retreat:retreat;
    14.2: broken, broken_roads, rules.r14_roads:destroy_roads; 16.3(3): in_range, rules.r16_artillery:able; 16.3(4): in_range;
    16.10: has_turks, rules.r13_declare:_check_target;
    16.10(3), 16.10(4): closed_zones, rules.r12_paths:_closed, rules.r13_declare:_apart; 16.10(7): distance_home
rules.r10_line  10.0(3): holder_of, is_ours, rules.r15_control:enter_hexes; 10.0(4): line_of
rules.r10_supply  4.1(3), 4.2(2), 10.0: supply_phase; 10.0(1): _ask_cut; 10.0(5): supply_phase
rules.r11_command_points  4.2(3): charge; 6.1.1(3): radios_that_count; 6.4(3): missed_at_once, radios_that_count;
    11.1: receive, sources, rules.r10_supply:_ask_source; 11.1(1): radios_that_count; 11.1(2): receive;
    11.2: charge, rules.r04_actions:_paid_for; 16.1(4): sources
rules.r12_movement  2.2.8: cost_of_a_way; 12.1: cost, rules.r12_reach:Field.reach;
    12.1(3): walked, rules.r04_operations:_go, rules.r12_paths:_adjacent; 12.1(5): _closed; 12.2(1): walked, wild:_path;
    12.2(3): _large_river; 12.2(5): walked; 12.3(4): cost; 12.4: road_rate, rules.r12_reach:Field._by_road, walked;
    12.4(1), 12.4(2): road_rate; 12.5(1), 12.5(2): _flown; 12.5(3): _flown, rules.r12_reach:Field._flown; 12.5(5): _flown;
    16.9: as_ruled
rules.r12_reach  12.5: Field._flown, rules.r09_zones:walk, rules.r12_movement:cost
rules.r13_advance  13.6: advance; 13.6(1): _who; 13.6(2), 13.6(3), 13.6(4): advance
rules.r13_combat  4.1(4-2): combat_segment, rules.r16_railway:_attack; 13.1, 13.2(4): combat_segment
rules.r13_declare  7.3.1(2), 9.0(1): _check_zones; 13.0: _beside, _check_side, _check_target; 13.1(1), 13.2: declare_attack;
    13.2(3): _attackers, _ask_target; 13.2(5), 13.2(6): _attackers; 13.3(5): _terrain; 16.11: _attackers
rules.r13_losses  13.4.1: lose_step, lose_steps, record_loss
rules.r13_ratio  7.3.1(3): defence_value; 13.3(1): ladder_index;
    13.3(4): attack_value, rules.r13_declare:_across, rules.r02_map:ask_water; 13.3(6): attack_value; 13.3(7): defence_value;
    13.3(8): attack_value, defence_value; 13.3(9): column, rules.r13_results:strike
rules.r13_results  13.1(5): resolve, rules.r13_combat:_next;
    13.2(1): clash_of, rules.r13_combat:_joined, rules.r13_declare:_ask_target;
    13.2(2): clash_of, rules.r13_declare:_check_target, coalition.campaign:_View._joined; 13.3: strike, clash_of;
    13.4: chart_cell, known_column, suffer;
    13.4(1), 13.4(2), 13.4(3), 13.4(4), 13.4(5), 13.4(6), 13.4(7), 13.4(8), 13.4(9): apply_result
rules.r13_retreat  12.5(4): retreat; 13.5: retreat, _each; 13.5(1): retreat; 13.5(5): _fitted, _further;
    13.5(6): _each, _fitted, _how; 13.5(7): _retreat_one; 13.5(8): _stays
rules.r13_support  5.1: _proposed; 5.1(4): air_support; 5.1.1(5): _ask; 5.3(2): may_be_met, _check_interception;
    5.3.1: _ask, _sallies; 5.3.1(2): _ask; 13.1(2), 13.1(3), 13.1(4): air_support;
    13.3(2): mission_over, _supporting, coalition.campaign:_columns; 16.3: _artillery_note; 16.5: foreign, _able, _check;
    16.5(1), 16.5(2), 16.10(5): foreign
rules.r14_roads  5.1(3): destroy_roads; 11.2(3), 11.2(4): road_work_of; 14.1: road_work, road_work_of; 14.3: destroy_roads;
    14.4: road_work, road_work_of; 14.5: road_work_of
rules.r15_control  15.2: ask_taken, change_control, kurdish_bonus; 16.10(8): enter_hexes, _enemy_held
rules.r15_victory  15.1: final_count
rules.r16_artillery  16.3(1): able; 16.3(2): artillery_support, worth; 16.3(5): able; 16.3(6): artillery_support;
    16.4(1): fire_of_the_unit; 16.4(2): fire_of_the_unit, rules.r07_ground_bombing:_roads_are_defended
rules.r16_options  16.6(1), 16.6(2): weather; 16.6(3): lifted, visibility, rules.r05_air_groups:_grounded; 16.8: reinforce;
    16.8(2): _where; 16.8(3): _lost
rules.r16_palace  16.1: intelligence; 16.1(3): uncover, rules.r06_facility_bombing:_hit; 16.1(5): uncover;
    16.1(6): _americans, _minister
rules.r16_paratroops  16.2: drop; 16.2(2): away; 16.2(3), 16.2(4): drop; 16.2(5): _ask_escort, _flight; 16.2(6): drop
rules.r16_railway  16.7: rail; 16.7(3): _arrive, rail; 16.7(4): _arrive, _attack; 16.7(5): _arrive
bot.marches  12.0: marches, bot.scene:Scene.reach
bot.raids  5.1(2): propose_bombing
coalition.ground  2.2.6: strength
coalition.sorties  7.3.1: _stopped; 16.4(4): _silenced
odds.air  5.2: mission_odds, odds.situations:mission_odds_of; 5.4: interception_odds
odds.described  2.2.7: described_clash
odds.situations  6.3(4): read_shots
referee  2.1.1(1): IraqWar.stand, IraqWar.units_named; 2.2.5: IraqWar.units_named; 2.2.10: IraqWar.described, not_in_play;
    2.3: IraqWar.air_values; 2.7: not_in_play; 5.6.1(2): IraqWar.aa_shots; 5.8.1(2): radar_works; 6.1.1: IraqWar.place_site;
    6.1.1(1): IraqWar.aa_shots; 6.1.1(2): radar_works; 6.1.1(4): IraqWar.airfields_left; 6.3(1), 6.3(2), 6.3(3): IraqWar.aa_shots
words.counters  2.2.2.1: division_of; 2.2.9: _extra; 2.2.11: nation; 2.2.12: printed_side; 2.4: counts_for_victory; 2.5: is_naval
words.land  2.1.1(4): Land.sectors
(Written by python -m tests.support.rule_map --write)
"""

from __future__ import annotations

from companion.core.game import Game, Tables
from companion.games.iraqwar2003.game import IraqWarGame


def make(tables: Tables) -> Game:
    """The game over its tables."""
    return IraqWarGame(tables)
