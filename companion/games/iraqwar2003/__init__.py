"""Iraq War 2003 (Simulation Journal, version 1.2 of the English rules).

Rules and the functions that carry them out, below this folder:
2.1.1(1)  referee:IraqWar.ask_units
2.1.2  rules.r03_setup:_told_sites, referee:IraqWar.open_display
2.1.3  rules.r03_setup:_air_units
2.1.4  rules.r05_air_groups:check_unit
2.1.5(1)  rules.r04_turn:end_of_turn
2.2  rules.r04_operations:enter_units, rules.r03_setup:_told_units, referee:IraqWar.enter
2.2.2.1  words.counters:division_of
2.2.5  referee:IraqWar.enter, referee:_miscounted
2.2.6  odds.described:described_clash
2.2.7  odds.described:described_clash
2.2.8  rules.r12_movement:cost_of_a_way
2.2.9  words.counters:_extra
2.2.11  words.counters:nation
2.2.12  words.counters:printed_side
2.3  referee:IraqWar.air_values
2.3.2  rules.r05_air_combat:anti_air
2.4  words.counters:counts_for_victory
2.5  words.counters:is_naval
2.5.3  rules.r05_air_combat:anti_air
2.5.4(1)  rules.r05_air_groups:check_unit
2.5.4(2)  rules.r05_air_groups:check_unit
3.0  rules.r03_setup:set_up, rules.r03_setup:_on_the_map
4.0  rules.r03_setup:set_up, rules.r04_turn:end_of_turn, referee:IraqWar.side
4.1  rules.r04_turn:end_player_turn
4.1(1)  rules.r06_facility_bombing:facility_phase
4.1(2)  rules.r07_ground_bombing:ground_phase
4.1(3)  rules.r10_supply:supply_phase
4.1(4)  rules.r04_operations:operate, rules.r04_sequence:operations
4.1(4-1)  rules.r04_actions:check_acting
4.1(4-2)  rules.r13_combat:combat_segment
4.1(4-3)  rules.r04_actions:finish
4.2  rules.r04_turn:end_player_turn
4.2(1)  rules.r04_turn:end_player_turn, rules.r04_sequence:until
4.2(2)  rules.r10_supply:supply_phase
4.2(3)  rules.r11_command_points:charge
4.3  rules.r04_turn:end_of_turn
4.3(1)  rules.r04_turn:_air_units_return
4.3(2)  rules.r04_turn:end_of_turn
5.1  bot:propose_support
5.1(1)  rules.r06_facility_bombing:facility_phase
5.1(2)  bot:propose_support
5.1(3)  rules.r14_roads:destroy_roads
5.1(4)  rules.r13_support:air_support
5.1.1(2)  rules.r05_air_groups:group_notation
5.1.1(3)  rules.r05_interception:_notation
5.1.1(4)  rules.r06_facility_bombing:_hit, rules.r07_ground_bombing:_hit
5.1.1(5)  rules.r13_support:_ask
5.2  odds.air:mission_odds, odds.situations:mission_odds_of
5.2(1)  rules.r05_missions:declare
5.2(2)  rules.r05_interception:interceptions
5.2(3)  rules.r05_air_combat:fly, rules.r05_missions:carry_out
5.2(4)  rules.r05_air_combat:fly, rules.r05_missions:carry_out
5.2(5)  rules.r05_air_combat:_arrive, rules.r05_air_combat:fly, rules.r05_missions:carry_out
5.2(6)  rules.r05_air_groups:spend, rules.r05_missions:carry_out
5.3  rules.r05_air_groups:check_unit, rules.r13_support:_check
5.3(1)  odds.situations:_ask_fliers
5.3(2)  rules.r13_support:_check_interception
5.3(4)  odds.situations:_ask_fliers
5.3.1  rules.r13_support:_ask
5.3.1(1)  rules.r05_missions:_ask_group, rules.r05_missions:declare
5.3.1(2)  rules.r13_support:_ask
5.4  odds.air:interception_odds
5.4.1  rules.r05_air_groups:not_to_be_intercepted, rules.r05_interception:_named, rules.r13_support:_check
5.4.1(1)  rules.r05_air_groups:unseen
5.4.1(2)  rules.r05_air_groups:without_radar
5.4.1(3)  rules.r05_air_groups:without_airfields
5.5  rules.r05_air_combat:air_combat
5.5(1)  rules.r05_air_combat:air_combat
5.5(2)  rules.r05_air_combat:air_combat
5.5(3)  rules.r05_air_combat:choose_target, rules.r05_air_combat:targets_of
5.5(4)  rules.r05_air_combat:targets_of
5.5(5)  rules.r05_air_combat:shoot
5.5(6)  rules.r05_air_combat:hit_fate, rules.r05_display:strike
5.5(7)  rules.r05_air_combat:air_combat
5.5(8)  rules.r05_air_combat:air_combat
5.5(9)  rules.r05_air_combat:air_combat
5.5(10)  rules.r05_air_groups:spend
5.6  rules.r05_air_combat:anti_air
5.6(1)  rules.r05_air_combat:shoot
5.6(2)  rules.r05_air_combat:hit_fate, rules.r05_display:strike
5.6(3)  rules.r05_air_combat:anti_air
5.6(4)  rules.r05_air_combat:fly
5.6.1(1)  rules.r05_air_combat:anti_air, rules.r05_display:TableDisplay.untouchable
5.6.1(2)  referee:IraqWar.aa_shots
5.7  rules.r05_air_combat:_arrive, referee:figures_of
5.7(1)  rules.r05_air_combat:drop_bombs
5.7(2)  rules.r05_air_groups:spend
5.7(3)  rules.r05_air_combat:bombing_value, rules.r07_ground_bombing:_in_city
5.8.1  rules.r07_ground_bombing:sectors_of
5.8.1(1)  rules.r07_ground_bombing:sectors_of
5.8.1(2)  referee:radar_works
5.8.1(3)  rules.r05_air_groups:without_radar
5.8.2  rules.r05_air_groups:without_airfields
5.8.2(1)  referee:IraqWar.airfields_left
5.8.2(2)  rules.r05_air_groups:without_airfields
6.1.1  referee:IraqWar.place_site
6.1.1(1)  referee:IraqWar.aa_shots
6.1.1(2)  referee:radar_works
6.1.1(3)  rules.r11_command_points:radios_that_count
6.1.1(4)  referee:IraqWar.airfields_left
6.1.2  rules.r03_setup:_told_sites, referee:IraqWar.open_display
6.2  rules.r06_facility_bombing:_target, rules.r06_facility_bombing:facility_phase
6.3  rules.r06_facility_bombing:_box_plan
6.3(1)  referee:IraqWar.aa_shots
6.3(2)  referee:IraqWar.aa_shots
6.3(3)  referee:IraqWar.aa_shots
6.3(4)  odds.situations:read_shots
6.3(5)  rules.r05_air_combat:anti_air
6.4  rules.r06_facility_bombing:_hit
6.4(1)  rules.r06_facility_bombing:_consequence
6.4(3)  rules.r11_command_points:missed_at_once, rules.r11_command_points:radios_that_count
6.4(4)  rules.r06_facility_bombing:_consequence
7.0  rules.r07_ground_bombing:_check_victim
7.1  rules.r07_ground_bombing:ground_phase
7.1(1)  rules.r07_ground_bombing:_target
7.1(2)  rules.r07_ground_bombing:_target
7.2  rules.r07_ground_bombing:_shots
7.2(1)  rules.r07_ground_bombing:_shots
7.2(2)  rules.r07_ground_bombing:fire_of_the_west
7.2(3)  rules.r07_ground_bombing:_shots
7.3  rules.r07_ground_bombing:_hit
7.3.1  rules.r07_ground_bombing:_hit
7.3.1(1)  rules.r04_actions:unfit
7.3.1(3)  rules.r13_ratio:defence_value
7.3.2  rules.r07_ground_bombing:_check_victim, rules.r07_ground_bombing:_hit
7.3.3  rules.r04_actions:beyond_recovery, rules.r04_operations:recover
7.4  rules.r07_ground_bombing:_hit
8.1  rules.r08_stacking:check_hex
8.1(1)  rules.r08_stacking:faults
8.1(2)  rules.r08_stacking:size
8.1(3)  rules.r08_stacking:faults
8.2  rules.r08_stacking:check_stack
8.2(1)  rules.r08_stacking:ask_stack
8.2(2)  rules.r08_stacking:ask_stack
8.2(3)  rules.r08_stacking:size
8.2(4)  rules.r08_stacking:faults
8.2 Penalty  rules.r08_stacking:check_stack
10.0  rules.r10_supply:supply_phase
10.0(1)  rules.r10_supply:supply_phase
10.0(2)  rules.r10_supply:_sources
10.0(5)  rules.r10_supply:supply_phase
10.0(6)  rules.r04_operations:mover_of, rules.r12_movement:movement_value
11.1  rules.r11_command_points:receive, rules.r11_command_points:sources, rules.r10_supply:_ask_source
11.1(1)  rules.r11_command_points:radios_that_count
11.1(2)  rules.r11_command_points:receive
11.2  rules.r11_command_points:charge
11.2(1)  rules.r04_operations:operate, rules.r16_options:rail
11.2(2)  rules.r04_operations:recover
11.2(3)  rules.r14_roads:road_work
11.2(4)  rules.r14_roads:road_work
11.3  rules.r11_command_points:_pay
12.1  rules.r12_movement:cost
12.1(1)  rules.r04_operations:operate
12.1(2)  rules.r12_movement:cost_of_a_way, rules.r12_movement:read_way, rules.r12_movement:tell_cost
12.1(4)  rules.r12_movement:_closed
12.1(5)  rules.r12_movement:_closed
12.1(6)  rules.r04_actions:check_acting
12.2  rules.r12_movement:cost_of_a_way
12.2(1)  rules.r12_movement:_walked
12.2(3)  rules.r12_movement:_large_river
12.2(5)  rules.r12_movement:_walked
12.3  rules.r12_movement:zone_cost, rules.r12_movement:cost_of_a_way
12.3(4)  rules.r12_movement:cost
12.4  rules.r12_movement:road_rate
12.4(1)  rules.r12_movement:road_rate
12.4(2)  rules.r12_movement:road_rate
12.5  rules.r12_movement:cost
12.5(1)  rules.r12_movement:_flown
12.5(2)  rules.r12_movement:_flown
12.5(3)  rules.r12_movement:_flown
12.5(4)  rules.r13_results:retreat
12.5(5)  rules.r12_movement:_flown
13.0  rules.r13_combat:_declare
13.1  rules.r13_combat:combat_segment
13.1(1)  rules.r13_combat:_declare
13.1(2)  rules.r13_support:air_support
13.1(3)  rules.r13_support:air_support
13.1(4)  rules.r13_support:air_support
13.1(5)  rules.r13_results:resolve, rules.r13_combat:_next
13.2  rules.r13_combat:_declare
13.2(1)  rules.r13_results:clash_of
13.2(2)  rules.r13_results:clash_of
13.2(3)  rules.r13_combat:_attackers
13.2(4)  rules.r13_combat:combat_segment
13.2(5)  rules.r13_combat:combat_segment
13.2(6)  rules.r13_combat:_attackers
13.3  rules.r13_results:strike, rules.r13_results:clash_of
13.3(1)  rules.r13_ratio:ladder_index
13.3(2)  rules.r13_support:mission_over, rules.r13_support:_supporting
13.3(2-1)  rules.r05_display:TableDisplay.supported, rules.r05_air_combat:_arrive
13.3(2-2)  rules.r07_ground_bombing:fire_of_the_west, rules.r13_support:_supporting
13.3(2-3)  rules.r05_display:TableDisplay.supported, rules.r05_air_combat:_arrive
13.3(4)  rules.r13_ratio:attack_value
13.3(5)  rules.r13_combat:_terrain
13.3(6)  rules.r13_ratio:attack_value
13.3(7)  rules.r13_ratio:defence_value
13.3(8)  rules.r13_ratio:attack_value, rules.r13_ratio:defence_value
13.3(9)  rules.r13_ratio:column, rules.r13_results:strike
13.4  rules.r13_results:chart_cell, rules.r13_results:known_column, rules.r13_results:suffer
13.4(1)  rules.r13_results:apply_result
13.4(2)  rules.r13_results:apply_result
13.4(3)  rules.r13_results:apply_result
13.4(4)  rules.r13_results:apply_result
13.4(5)  rules.r13_results:apply_result
13.4(6)  rules.r13_results:apply_result
13.4(7)  rules.r13_results:apply_result
13.4(8)  rules.r13_results:apply_result
13.4(9)  rules.r13_results:apply_result
13.4.1  rules.r13_results:lose_step, rules.r13_results:lose_steps, rules.r13_results:record_loss
13.5  rules.r13_results:retreat
13.5(2)  rules.r13_results:retreat
13.5(3)  rules.r13_results:retreat
13.5(4)  rules.r13_results:retreat
13.5(5)  rules.r13_results:retreat
13.5(6)  rules.r13_results:retreat, rules.r13_results:_retreat_one
13.5(7)  rules.r13_results:_retreat_one
13.5(8)  rules.r13_results:retreat, rules.r13_results:suffer
13.6  rules.r13_results:advance
13.6(1)  rules.r13_results:advance
14.1  rules.r14_roads:road_work
14.2  rules.r14_roads:destroy_roads
14.3  rules.r14_roads:destroy_roads
14.4  rules.r14_roads:road_work
14.5  rules.r14_roads:road_work
15.1  rules.r15_victory:final_count
15.2  rules.r15_control:ask_taken, rules.r15_control:change_control, rules.r15_control:kurdish_bonus
16.0  rules.r03_setup:set_up, referee:IraqWar.on, referee:rule_on
16.1  rules.r16_palace:intelligence
16.1(1)  rules.r03_setup:_palace, rules.r06_facility_bombing:_marker_plan
16.1(2)  rules.r03_setup:_palace, rules.r06_facility_bombing:_marker_plan
16.1(3)  rules.r16_palace:uncover, rules.r06_facility_bombing:_hit
16.1(4)  rules.r11_command_points:sources
16.1(5)  rules.r16_palace:uncover
16.1(6)  rules.r16_palace:_minister
16.2  rules.r16_paratroops:drop
16.2(1)  rules.r04_sequence:dropped
16.2(2)  rules.r16_paratroops:drop
16.2(3)  rules.r16_paratroops:drop
16.2(4)  rules.r16_paratroops:drop
16.2(5)  rules.r16_paratroops:_ask_escort, rules.r16_paratroops:_flight
16.2(6)  rules.r16_paratroops:drop
16.3(1)  rules.r16_artillery:able
16.3(2)  rules.r16_artillery:artillery_support, rules.r16_artillery:worth
16.3(3)  rules.r16_artillery:artillery_support
16.3(4)  rules.r16_artillery:artillery_support
16.3(5)  rules.r16_artillery:able
16.3(6)  rules.r16_artillery:artillery_support
16.4(1)  rules.r16_anti_air_unit:fire_of_the_unit
16.4(2)  rules.r16_anti_air_unit:fire_of_the_unit
16.4(3)  rules.r07_ground_bombing:_shots, rules.r13_support:_supporting
16.4(4)  rules.r16_anti_air_unit:fire_of_the_unit
16.4(5)  rules.r07_ground_bombing:_shots
16.4(6)  rules.r04_actions:beyond_recovery
16.5  rules.r13_support:_check_nations, rules.r13_support:_check
16.5(1)  rules.r13_support:_check_nations
16.5(2)  rules.r13_support:_check_nations
16.6(1)  rules.r16_storms:weather
16.6(2)  rules.r16_storms:weather
16.6(3)  rules.r16_storms:lifted, rules.r16_storms:visibility
16.6(4)  rules.r04_operations:mover_of, rules.r12_movement:movement_value
16.7  rules.r16_options:rail
16.7(1)  rules.r04_sequence:railway_used
16.7(2)  rules.r04_sequence:railway_used
16.7(3)  rules.r16_options:rail
16.7(4)  rules.r16_options:rail
16.7(5)  rules.r16_options:rail
16.7.1(1)  rules.r16_options:rail
16.8  rules.r16_options:reinforce
16.8(1)  rules.r04_sequence:too_late
16.8(2)  rules.r16_options:reinforce
16.8(3)  rules.r16_options:reinforce
16.9  rules.r12_movement:_walked, rules.r13_combat:_terrain
16.10(1)  rules.r11_command_points:charge
16.10(5)  rules.r13_support:_check_nations
16.10(6)  rules.r07_ground_bombing:_check_victim
16.11  rules.r13_combat:_attackers
(Written by python -m tests.support.rule_map --write)
"""

from __future__ import annotations

from companion.core.game import Game, Tables
from companion.games.iraqwar2003.game import IraqWarGame


def make(tables: Tables) -> Game:
    """The game over its tables."""
    return IraqWarGame(tables)
