"""Iraq War 2003 (Simulation Journal, version 1.2 of the English rules).

Rules and the functions that carry them out, below this folder:
2.1.1(1)  referee:IraqWar.ask_units
2.1.2  referee:IraqWar.open_display, setup:_told_sites
2.1.3  setup:_air_units
2.1.4  groups:check_unit
2.1.5(1)  turn:end_of_turn
2.2  operations:enter_units, referee:IraqWar.enter, setup:_told_units
2.2.5  counters:read_unit, referee:IraqWar.enter, referee:_miscounted
2.2.6  quick:describe
2.2.7  quick:describe
2.2.8  movement:cost_of_a_way
2.2.9  counters:_extra
2.2.11  counters:nation, counters:side_of_nation
2.2.12  counters:printed_side
2.3  referee:IraqWar.air_values
2.3.2  airwar:anti_air
2.4  victory:counts
2.5.3  airwar:anti_air
2.5.4(1)  groups:check_unit
2.5.4(2)  groups:check_unit
3.0  setup:set_up, setup:_on_the_map
4.0  referee:IraqWar.side, setup:set_up, turn:end_of_turn
4.1  turn:end_player_turn
4.1(1)  missions:facility_phase
4.1(2)  missions:ground_phase
4.1(3)  turn:supply_phase
4.1(4)  operations:operate
4.1(4-1)  operations:check_acting
4.1(4-2)  combat:combat_segment
4.1(4-3)  operations:finish
4.2  turn:end_player_turn
4.2(1)  turn:end_player_turn
4.2(2)  turn:supply_phase
4.2(3)  operations:charge
4.3  turn:end_of_turn
4.3(1)  turn:_air_units_return
4.3(2)  turn:end_of_turn
5.1  bot:propose_support
5.1(1)  missions:facility_phase
5.1(2)  bot:propose_support
5.1(3)  missions:destroy_roads
5.1(4)  support:air_support
5.1.1(2)  groups:group_notation
5.1.1(3)  interception:_notation
5.1.1(4)  missions:_effect
5.1.1(5)  support:_ask
5.2  airwar:fly
5.2(1)  missions:_declare
5.2(2)  interception:interceptions
5.2(3)  missions:_carry_out
5.2(4)  missions:_carry_out
5.2(5)  missions:_carry_out
5.2(6)  missions:spend, missions:_carry_out
5.3  groups:check_unit, support:_check
5.3(1)  situations:best_target, situations:mission_odds_of
5.3(2)  interception:check_interception, support:_check_interception
5.3(4)  situations:best_target, situations:mission_odds_of
5.3.1  support:_ask
5.3.1(1)  missions:_ask_group, missions:_declare
5.3.1(2)  support:_ask
5.4  chances:interception_odds
5.4.1  interception:check_interception, support:_check
5.4.1(1)  interception:check_interception, interception:interceptions, support:_check_interception
5.4.1(2)  groups:check_sector
5.4.1(3)  groups:check_airfields
5.5  airwar:air_combat, support:_fight
5.5(1)  airwar:air_combat
5.5(2)  airwar:air_combat
5.5(3)  airwar:choose_target, airwar:targets_of
5.5(4)  airwar:targets_of
5.5(5)  airwar:shoot
5.5(6)  airwar:hit_fate, display:strike
5.5(7)  airwar:air_combat
5.5(8)  airwar:air_combat
5.5(9)  airwar:air_combat
5.5(10)  missions:spend
5.6  airwar:anti_air, support:_arrive
5.6(1)  airwar:shoot
5.6(2)  airwar:hit_fate, display:strike
5.6(3)  airwar:anti_air
5.6(4)  missions:_carry_out
5.6.1(1)  missions:_carry_out
5.6.1(2)  referee:IraqWar.aa_shots
5.7  referee:figures_of
5.7(1)  airwar:drop_bombs
5.7(2)  missions:spend
5.7(3)  airwar:bombing_value, missions:_in_city
5.8.1  missions:sectors_of
5.8.1(1)  missions:sectors_of
5.8.1(2)  referee:radar_works
5.8.1(3)  groups:check_sector
5.8.2  groups:check_airfields
5.8.2(1)  referee:IraqWar.airfields_left
5.8.2(2)  groups:check_airfields
6.1.1  sites:read_site, referee:IraqWar.place_site
6.1.1(1)  referee:IraqWar.aa_shots
6.1.1(2)  referee:radar_works
6.1.1(3)  turn:radios_that_count
6.1.1(4)  referee:IraqWar.airfields_left
6.1.2  setup:_told_sites, referee:IraqWar.open_display
6.2  targets:facility_target, missions:facility_phase
6.3(1)  referee:IraqWar.aa_shots
6.3(2)  referee:IraqWar.aa_shots
6.3(3)  referee:IraqWar.aa_shots
6.3(4)  situations:read_shots
6.3(5)  airwar:anti_air
6.4  missions:_effect
6.4(1)  missions:_consequence
6.4(3)  turn:radios_that_count
6.4(4)  missions:_consequence
7.0  targets:_check_victim
7.1  missions:ground_phase
7.1(1)  targets:ground_target
7.1(2)  targets:ground_target
7.2  missions:ground_shots
7.2(1)  missions:ground_shots
7.2(2)  counters:is_western, missions:_aa_rule
7.2(3)  missions:ground_shots
7.3  missions:_effect
7.3.1  missions:_effect
7.3.1(1)  extras:rail, operations:operate
7.3.1(3)  strength:defence_value
7.3.2  missions:_effect, targets:_check_victim
7.3.3  operations:recover
7.4  missions:_effect
8.1  stacking:check_hex
8.1(1)  stacking:faults
8.1(2)  stacking:size
8.1(3)  stacking:faults
8.2  stacking:check_stack
8.2(1)  stacking:ask_stack
8.2(2)  stacking:ask_stack
8.2(3)  stacking:size
8.2(4)  stacking:faults
8.2 Penalty  stacking:check_stack
10.0  turn:supply_phase
10.0(1)  turn:supply_phase
10.0(2)  turn:_sources
10.0(5)  turn:supply_phase
10.0(6)  movement:movement_value, operations:mover_of
11.1  turn:command_points
11.1(1)  turn:radios_that_count
11.1(2)  turn:command_points
11.2  operations:charge
11.2(1)  extras:rail, operations:operate
11.2(2)  operations:recover
11.2(3)  operations:road_work
11.2(4)  operations:road_work
11.3  referee:IraqWar.pay
12.1  movement:cost
12.1(1)  operations:operate
12.1(2)  movement:cost_of_a_way, movement:read_way, movement:tell_cost
12.1(4)  movement:_closed
12.1(5)  movement:_closed
12.1(6)  operations:check_acting
12.2  movement:cost_of_a_way
12.2(1)  movement:_walked
12.2(3)  movement:_large_river
12.2(5)  movement:_walked
12.3  movement:zone_cost, movement:cost_of_a_way
12.3(4)  movement:cost
12.4  movement:road_rate
12.4(1)  movement:road_rate
12.4(2)  movement:road_rate
12.5  movement:cost
12.5(1)  movement:_flown
12.5(2)  movement:_flown
12.5(3)  movement:_flown
12.5(4)  results:retreat
12.5(5)  movement:_flown
13.0  combat:_declare
13.1  combat:combat_segment
13.1(1)  combat:_declare
13.1(2)  support:air_support
13.1(3)  support:air_support
13.1(4)  support:air_support
13.1(5)  combat:apply_result, combat:resolve, quick:quick_combat
13.2  combat:_declare
13.2(1)  combat:_declare
13.2(2)  combat:attack_values
13.2(3)  combat:_declare
13.2(4)  combat:combat_segment
13.2(5)  combat:combat_segment
13.2(6)  combat:_declare
13.3  combat:resolve, quick:quick_combat
13.3(1)  crt:ladder_index
13.3(2)  support:support_odds, support:_arrive
13.3(2-1)  support:_arrive
13.3(2-2)  support:_shots
13.3(2-3)  support:_arrive
13.3(4)  strength:attack_value, combat:attack_values
13.3(5)  combat:_terrain
13.3(6)  strength:attack_value, combat:attack_values
13.3(7)  combat:defence_values, strength:defence_value
13.3(8)  combat:defence_values, strength:attack_value, strength:defence_value
13.3(9)  combat:resolve, crt:column
13.4  combat:chart_cell, combat:clash_odds, combat:apply_result
13.4(1)  crt:read_result
13.4(2)  crt:read_result
13.4(3)  crt:read_result
13.4(4)  crt:read_result
13.4(5)  crt:read_result
13.4(6)  crt:read_result
13.4(7)  crt:read_result
13.4(8)  crt:read_result
13.4(9)  crt:read_result
13.4.1  results:lose_step, results:lose_steps, results:record_loss
13.5  results:retreat
13.5(2)  results:retreat
13.5(3)  results:retreat
13.5(4)  results:retreat
13.5(5)  results:retreat
13.5(6)  results:retreat, results:_retreat_one
13.5(7)  results:_retreat_one
13.5(8)  results:retreat, combat:apply_result, quick:clash
13.6  results:advance, combat:apply_result
13.6(1)  results:advance
14.1  operations:road_work
14.2  missions:destroy_roads
14.3  missions:destroy_roads
14.4  operations:road_work
14.5  operations:road_work
15.1  victory:final_count
15.2  control:ask_taken, control:change_control, control:kurdish_bonus
16.0  referee:IraqWar.on, referee:rule_on, setup:set_up
16.1  palace:intelligence, missions:_effect
16.1(1)  setup:_palace
16.1(2)  setup:_palace
16.1(3)  palace:uncover
16.1(4)  palace:uncover, turn:command_points, victory:count
16.1(5)  palace:uncover
16.1(6)  palace:_minister
16.2  extras:drop
16.2(1)  extras:drop
16.2(2)  extras:drop
16.2(3)  extras:drop
16.2(4)  extras:drop
16.2(5)  extras:_flight
16.2(6)  extras:drop
16.3(1)  artillery:able
16.3(2)  artillery:artillery_support, artillery:worth
16.3(3)  artillery:artillery_support
16.3(4)  artillery:artillery_support
16.3(5)  artillery:able
16.3(6)  artillery:artillery_support
16.4  display:TableDisplay.shot
16.4(1)  missions:ground_shots
16.4(2)  missions:anti_air_unit, support:_shots
16.4(3)  missions:_aa_rule, support:_arrive
16.4(4)  missions:anti_air_unit
16.4(5)  missions:ground_shots
16.4(6)  operations:recover
16.5  support:_check_nations, support:_check
16.5(1)  support:_check_nations
16.5(2)  support:_check_nations
16.6(1)  turn:weather
16.6(2)  turn:weather
16.6(3)  missions:visibility
16.6(4)  movement:movement_value, operations:mover_of
16.7  extras:rail
16.7(1)  extras:rail, turn:end_of_turn
16.7(2)  extras:rail
16.7(3)  extras:rail
16.7(4)  extras:rail
16.7(5)  extras:rail
16.7.1(1)  extras:rail
16.8  extras:reinforce
16.8(1)  extras:reinforce
16.8(2)  extras:reinforce
16.8(3)  extras:reinforce
16.9  combat:_terrain, movement:_walked
16.10(1)  operations:charge
16.10(5)  support:_check_nations
16.10(6)  targets:_check_victim
16.11  combat:_check_divisions
(Written by python -m tests.support.rule_map --write)
"""

from __future__ import annotations

from companion.core.game import Game, Tables
from companion.games.iraqwar2003.game import IraqWarGame


def make(tables: Tables) -> Game:
    """The game over its tables."""
    return IraqWarGame(tables)
