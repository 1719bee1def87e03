"""Fallujah 2004: City Fighting in Iraq (Modern War 23, Decision Games 2016).

Rules and the functions that carry them out, below this folder:
3.1  setup:place_nodes, referee:Fallujah.ground, referee:Fallujah.place_names
4.0  setup:deploy_opfor
4.1  pieces:is_iraqi
4.2  recruiting:_new_unit, counters:read_side, quick:read_fires
4.3  pieces:type_of, setup:deploy_coalition, counters:_read_strike_lots
4.5  nodes:draw_node, setup:deploy_opfor
4.6  counters:read_insurgent, pieces:type_of, setup:deploy_opfor
4.7  pieces:event_of, setup:deploy_opfor, reaction:_unknown_counter
4.8  event_markers:blow_bridges, setup:deploy_opfor
6.1  victory:count, victory:final_count
6.2  victory:final_count
6.3  victory:degree
7.0  setup:set_up
7.1  setup:set_up
7.1(1)  nodes:open_space, setup:deploy_opfor, setup:place_nodes
7.1(2)  recruiting:buy, setup:deploy_coalition
7.2  event_markers:random_space
7.2(1)  event_markers:random_space
7.2(2)  event_markers:random_space
8.1  referee:Fallujah.begin_operation, referee:Fallujah.end_operation
8.1(a)  victory:declare_end, referee:Fallujah.end_operation
8.1(b)  victory:declare_end
8.2  movement:check_stacking, movement:_held_up
8.3  movement:check_force, movement:choose_force, movement:movement_value
8.4  setup:deploy_opfor
9.1  referee:Fallujah.morale
9.2  morale:morale_check, morale:moved, morale:tested
9.3(1)  morale:picks
9.3(2)  battle:Stage.stands, combat:OnTable.stands, morale:stands
10.1  offensive:offensive
10.1(1)  offensive:offensive
10.1(2)  offensive:arrive
10.1(3)  offensive:resolve
10.1(4)  offensive:arrive, offensive:resolve
10.2  offensive:offensive
10.3  referee:Fallujah.begin_operation
10.4  event_markers:clear_away
11.0  recruiting:recruit
11.1  recruiting:place
11.2  logistics:build, recruiting:_new_unit
12.0  netwar:isr
12.1  netwar:look
12.2  combat:OnTable.spent, combat:spend_netwar, netwar:isr
12.3  battle:ask_netwar, combat:OnTable.support
13.0  movement:_by_ground, movement:_check_length, movement:movement_value
13.1  movement:_held_up
13.2  movement:points_left, movement:_check_length
13.3  movement:_check_river
13.4  movement:check_base_exit
14.1  reaction:react, movement:points_left
14.1(1)  reaction:react
14.1(2)  reaction:picked
14.1(3)  reaction:picked
14.2  movement:move_force
14.3  reaction:execute, reaction:extra_picks, reaction:picked
14.3(1)  reaction:execute, event_markers:deception
14.3(2)  event_markers:carry_out
14.3(3)  reaction:execute
14.4  netwar:isr
14.5  battle:wild, combat:OnTable.stands
14.7  event_markers:blow_bridges, event_markers:downed_helicopter, event_markers:rear_area_raid
15.0  offensive:resolve
16.0  quick:quick_battle
16.1  quick:describe
16.1(1)  combat:fight, combat:scene
16.1(2)  battle:edge_winner, battle:opfor_bonus, battle:tactical_edge
16.1(2a)  battle:edge_bonus, quick:describe
16.1(2b)  battle:edge_bonus
16.1(2c)  battle:ask_netwar, battle:edge_bonus, combat:support
16.1(2d)  battle:tactical_edge
16.1(3)  battle:fight
16.1(3a)  battle:fire_support
16.1(3b)  battle:edge_fire
16.1(3c)  battle:other_fire
16.1(3d)  battle:support_return
16.1(4)  battle:continuation
16.1(4a)  battle:Battle.won
16.1(4b)  battle:Battle.won
16.1(4c)  battle:Stage.stay, combat:Aloud.stay
16.1(5)  battle:fight, combat:fight
16.1(6)  battle:continuation
16.2  battle:coalition_fires, battle:opfor_fires, battle:raw_hits
16.3  battle:coalition_losses, battle:hit_whom, battle:opfor_losses
16.4  combat:opfor_at
16.5  battle:hits_on_opfor
16.6  battle:fire_outcomes, battle:opfor_losses
16.7  combat:Aloud.withdraw, withdrawal:withdraw, withdrawal:_refuge
16.8  battle:hits_on_opfor
16.9  withdrawal:evacuate
17.0  combat:Aloud.loss_ops, nodes:capture, nodes:lost_battle
18.0  logistics:logistics
18.1  logistics:refit
18.2  logistics:refit
18.3  logistics:refit_places, logistics:refit
18.3(a)  logistics:refit
18.3(b)  logistics:refit
18.4  logistics:repair
18.5  logistics:build
19.0  netwar:gains, netwar:infowar
20.0  pieces:lies_concealed
20.1  nodes:revealed_effects
20.2  nodes:reveal
20.2(a)  event_markers:rear_area_raid, nodes:reveal, reaction:react
20.2(b)  netwar:isr, nodes:reveal
20.2(c)  nodes:reveal, movement:_held_up
20.3  nodes:capture
21.0  victory:count
21.1  referee:Fallujah.kia, nodes:hit_unit
21.1(a)  nodes:hit_unit
21.1(b)  nodes:hit_unit
21.1(c)  nodes:hit_unit
21.2  referee:Fallujah.kia
22.0  combat:put_back, pieces:is_netwar, referee:Fallujah.netwar
23.1  combat:OnTable.spent, offensive:interdict, referee:Fallujah.available
23.2  battle:ask_strikes, battle:fire_support
23.4(b)  battle:wild
23.5  battle:collateral_damage, battle:wild, combat:collateral_here
24.0  pieces:is_helicopter
24.1  movement:_fly
24.2  withdrawal:evacuate, movement:_fly
24.3  movement:check_force
24.4  combat:fighter
24.5  movement:_fly
24.6  movement:airmobile_faults, movement:_lifters
24.7  pieces:is_ground, reaction:react
25.0  pieces:is_amtrac
25.1  movement:_by_water
25.2  movement:amtrac_faults, movement:movement_value
26.0  pieces:is_engineer
27.0  pieces:is_sof
27.1  movement:infiltrates
27.2  nodes:capture
27.3  movement:_by_water
28.0  pieces:is_fob, pieces:is_ground
28.1  movement:choose_force
28.2  combat:fob_bonus
29.0  setup:deploy_coalition
29.1  leaders:leader_check, nodes:lose_leader
29.2  battle:edge_bonus
30.0  setup:set_up
30.1  setup:set_up
30.2  setup:second_battle, victory:campaign_verdict
30.2(1)  recruiting:assign_kept_leaders, setup:_carry_over
30.2(2)  setup:_carry_over
30.2(3)  setup:second_battle
30.2(4)  setup:start
30.2(5)  victory:campaign_verdict
31.0  movement:check_force
32.0  offensive:networked
32.0(1)  offensive:networked
32.0(2)  offensive:networked
32.0(3)  offensive:networked
33.0  offensive:interdict, offensive:_target
35.0  names:share_flag, referee:Fallujah.credit, victory:who_commands
(Written by python -m tests.support.rule_map --write)
"""

from __future__ import annotations

from companion.core.game import Game, Tables
from companion.games.fallujah2004.game import FallujahGame


def make(tables: Tables) -> Game:
    """The game over its tables."""
    return FallujahGame(tables)
