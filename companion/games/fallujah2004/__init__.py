"""Fallujah 2004: City Fighting in Iraq (Modern War 23, Decision Games 2016).

Rules and the functions that carry them out, below this folder:
3.1  rules.r07_setup:place_nodes, referee:Fallujah.ground, referee:Fallujah.place_names
4.0  rules.r07_setup:deploy_opfor
4.1  pieces:is_iraqi
4.2  rules.r11_recruiting:_new_unit, rules.r07_setup:deploy_coalition, pieces:type_of
4.3  rules.r07_setup:deploy_coalition, pieces:type_of
4.5  rules.r07_setup:deploy_opfor, rules.r20_nodes:draw_node
4.6  rules.r07_setup:deploy_opfor, rules.r14_reaction:_unknown_counter, pieces:type_of
4.7  rules.r07_setup:deploy_opfor, rules.r14_reaction:_unknown_counter, pieces:event_of
4.8  rules.r07_setup:deploy_opfor, rules.r14_events:blow_bridges
6.1  rules.r06_victory:count, rules.r06_victory:final_count
6.2  rules.r06_victory:final_count
6.3  rules.r06_victory:degree
7.0  rules.r07_setup:set_up
7.1  rules.r07_setup:set_up
7.1(1)  rules.r07_setup:deploy_opfor, rules.r07_setup:place_nodes, rules.r20_nodes:open_space
7.1(2)  rules.r07_setup:deploy_coalition, rules.r11_recruiting:buy
7.2  rules.r14_events:random_space
7.2(1)  rules.r14_events:random_space
7.2(2)  rules.r14_events:random_space
8.1  referee:Fallujah.begin_operation, referee:Fallujah.end_operation
8.1(a)  rules.r06_victory:declare_end, referee:Fallujah.end_operation
8.1(b)  rules.r06_victory:declare_end
8.2  rules.r13_movement:check_stacking, rules.r13_movement:_held_up
8.3  rules.r13_movement:check_force, rules.r13_movement:choose_force, rules.r13_movement:movement_value
8.4  rules.r07_setup:deploy_opfor
9.1  referee:Fallujah.morale
9.2  rules.r09_morale:morale_check, rules.r09_morale:moved, rules.r09_morale:tested
9.3(1)  rules.r09_morale:picks
9.3(2)  rules.r09_morale:stands, rules.r16_combat:OnTable.stands, rules.r16_described:ask_response
10.1  rules.r10_operations:offensive
10.1(1)  rules.r10_operations:offensive
10.1(2)  rules.r10_operations:arrive
10.1(3)  rules.r10_operations:resolve
10.1(4)  rules.r10_operations:arrive, rules.r10_operations:resolve
10.2  rules.r10_operations:offensive
10.3  referee:Fallujah.begin_operation
10.4  rules.r14_events:clear_away
11.0  rules.r11_recruiting:recruit
11.1  rules.r11_recruiting:place
11.2  rules.r18_logistics:build, rules.r11_recruiting:_new_unit
12.0  rules.r12_netwar:isr
12.1  rules.r12_netwar:look
12.2  rules.r12_netwar:isr, rules.r16_combat:OnTable.spent, rules.r16_combat:spend_netwar
12.3  rules.r16_battle:ask_netwar, rules.r16_combat:OnTable.support
13.0  rules.r13_movement:_by_ground, rules.r13_movement:_check_length, rules.r13_movement:movement_value
13.1  rules.r13_movement:_held_up
13.2  rules.r13_movement:points_left, rules.r13_movement:_check_length
13.3  rules.r13_movement:_check_river
13.4  rules.r13_movement:check_base_exit
14.1  rules.r14_reaction:react, rules.r13_movement:points_left
14.1(1)  rules.r14_reaction:react
14.1(2)  rules.r14_reaction:picked
14.1(3)  rules.r14_reaction:picked
14.2  rules.r13_movement:move_force
14.3  rules.r14_reaction:execute, rules.r14_reaction:extra_picks, rules.r14_reaction:picked
14.3(1)  rules.r14_reaction:execute, rules.r14_events:deception
14.3(2)  rules.r14_events:carry_out
14.3(3)  rules.r14_reaction:execute
14.4  rules.r12_netwar:isr
14.5  rules.r16_combat:OnTable.stands, rules.r16_fire:wild
14.7  rules.r14_events:blow_bridges, rules.r14_events:downed_helicopter, rules.r14_events:rear_area_raid
15.0  rules.r10_operations:resolve
16.0  rules.r16_described:described_battle
16.1  rules.r16_described:describe
16.1(1)  rules.r16_combat:fight, rules.r16_combat:scene
16.1(2)  rules.r16_battle:edge_winner, rules.r16_battle:opfor_bonus, rules.r16_battle:tactical_edge
16.1(2a)  rules.r16_battle:edge_bonus, rules.r16_described:describe
16.1(2b)  rules.r16_battle:edge_bonus
16.1(2c)  rules.r16_battle:ask_netwar, rules.r16_battle:edge_bonus, rules.r16_combat:support
16.1(2d)  rules.r16_battle:tactical_edge
16.1(3)  rules.r16_battle:fight
16.1(3a)  rules.r16_battle:fire_support
16.1(3b)  rules.r16_battle:fire
16.1(3c)  rules.r16_battle:fire
16.1(3d)  rules.r16_battle:support_return
16.1(4)  rules.r16_battle:continuation
16.1(4a)  rules.r16_stage:Battle.won
16.1(4b)  rules.r16_stage:Battle.won
16.1(4c)  rules.r16_combat:Aloud.stay, rules.r16_stage:Stage.stay
16.1(5)  rules.r16_battle:fight, rules.r16_combat:fight
16.1(6)  rules.r16_battle:continuation
16.2  rules.r16_fire:coalition_fires, rules.r16_fire:opfor_fires, rules.r16_fire:raw_hits
16.3  rules.r16_combat:return_opfor, rules.r16_fire:coalition_losses, rules.r16_fire:hit_whom
16.4  rules.r16_combat:opfor_at
16.5  rules.r16_fire:hits_on_opfor
16.6  rules.r16_fire:fire_outcomes, rules.r16_fire:opfor_losses
16.7  rules.r16_combat:Aloud.withdraw, rules.r16_withdrawal:withdraw, rules.r16_withdrawal:_refuge
16.8  rules.r16_fire:hits_on_opfor
16.9  rules.r16_withdrawal:evacuate
17.0  rules.r16_combat:Aloud.loss_ops, rules.r20_nodes:capture, rules.r20_nodes:lost_battle
18.0  rules.r18_logistics:logistics
18.1  rules.r18_logistics:refit
18.2  rules.r18_logistics:refit
18.3  rules.r18_logistics:refit_places, rules.r18_logistics:refit
18.3(a)  rules.r18_logistics:refit
18.3(b)  rules.r18_logistics:refit
18.4  rules.r18_logistics:repair
18.5  rules.r18_logistics:build
19.0  rules.r12_netwar:gains, rules.r12_netwar:infowar
20.0  pieces:lies_concealed
20.1  rules.r20_nodes:revealed_effects
20.2  rules.r20_nodes:reveal
20.2(a)  rules.r14_events:rear_area_raid, rules.r14_reaction:react, rules.r20_nodes:reveal
20.2(b)  rules.r12_netwar:isr, rules.r20_nodes:reveal
20.2(c)  rules.r20_nodes:reveal, rules.r13_movement:_held_up
20.3  rules.r20_nodes:capture
21.0  rules.r06_victory:count
21.1  rules.r20_nodes:hit_unit, referee:Fallujah.kia
21.1(a)  rules.r20_nodes:hit_unit
21.1(b)  rules.r20_nodes:hit_unit
21.1(c)  rules.r20_nodes:hit_unit
21.2  referee:Fallujah.kia
22.0  rules.r16_combat:put_back, rules.r12_netwar:_markers, pieces:is_netwar
23.1  rules.r10_operations:interdict, rules.r16_combat:OnTable.spent, referee:Fallujah.available
23.2  rules.r16_battle:ask_strikes, rules.r16_battle:fire_support
23.4(b)  rules.r16_fire:wild
23.5  rules.r16_combat:collateral_here, rules.r16_fire:collateral_damage, rules.r16_fire:wild
24.0  pieces:is_helicopter
24.1  rules.r13_movement:_fly
24.2  rules.r16_withdrawal:evacuate, rules.r13_movement:_fly
24.3  rules.r13_movement:check_force
24.4  rules.r16_combat:fighter
24.5  rules.r13_movement:_fly
24.6  rules.r13_movement:airmobile_faults, rules.r13_movement:_lifters
24.7  rules.r14_reaction:react, pieces:is_ground
25.0  pieces:is_amtrac
25.1  rules.r13_movement:_by_water
25.2  rules.r13_movement:amtrac_faults, rules.r13_movement:movement_value
26.0  pieces:is_engineer
27.0  pieces:is_sof
27.1  rules.r13_movement:infiltrates
27.2  rules.r20_nodes:capture
27.3  rules.r13_movement:_by_water
28.0  pieces:is_fob, pieces:is_ground
28.1  rules.r13_movement:choose_force
28.2  rules.r16_combat:fob_bonus
29.0  rules.r07_setup:deploy_coalition
29.1  rules.r20_nodes:lose_leader, rules.r29_leaders:leader_check
29.2  rules.r16_battle:edge_bonus
30.0  rules.r07_setup:set_up
30.1  rules.r07_setup:set_up
30.2  rules.r06_victory:campaign_verdict, rules.r07_setup:second_battle
30.2(1)  rules.r11_recruiting:assign_kept_leaders, rules.r07_setup:_carry_over
30.2(2)  rules.r07_setup:_carry_over
30.2(3)  rules.r07_setup:second_battle
30.2(4)  rules.r07_setup:start
30.2(5)  rules.r06_victory:campaign_verdict
31.0  rules.r13_movement:check_force
32.0  rules.r10_operations:networked
32.0(1)  rules.r10_operations:networked
32.0(2)  rules.r10_operations:networked
32.0(3)  rules.r10_operations:networked
33.0  rules.r10_operations:interdict, rules.r10_operations:_target
35.0  rules.r06_victory:who_commands, rules.r06_victory:_players, names:share_flag
(Written by python -m tests.support.rule_map --write)
"""

from __future__ import annotations

from companion.core.game import Game, Tables
from companion.games.fallujah2004.game import FallujahGame


def make(tables: Tables) -> Game:
    """The game over its tables."""
    return FallujahGame(tables)
