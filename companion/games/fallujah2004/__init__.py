"""Fallujah 2004: City Fighting in Iraq (Modern War 23, Decision Games 2016).

Rules and the functions that carry them out, by the module below this folder:
rules.r06_victory  6.1: count, final_count; 6.2: empty_msr, final_count; 6.3: degree, players:Own.outcome;
    8.1: stranded, players:Own.turn, referee:Fallujah.begin_operation;
    8.1(a): declare_end, playing.planner:Planner.act, referee:Fallujah.end_operation; 8.1(b): declare_end; 21.0: count;
    30.2: campaign_verdict, rules.r07_setup:second_battle, players:Own.any_action; 30.2(5): campaign_verdict
rules.r07_setup  4.0: deploy_opfor; 4.3: deploy_coalition, rules.r16_described:_read_extras, pieces:type_of;
    4.5: deploy_opfor, rules.r20_nodes:draw_node;
    4.6: deploy_opfor, rules.r14_reaction:_unknown_counter, rules.r16_described:_read_enemy;
    4.7: deploy_opfor, rules.r14_reaction:_unknown_counter, pieces:event_of; 4.8: deploy_opfor, rules.r14_events:blow_bridges;
    7.1: set_up; 7.1(1): deploy_opfor, place_nodes, rules.r20_nodes:open_space;
    7.1(2): deploy_coalition, rules.r11_recruiting:buy, playing.begun:buy; 8.4: deploy_opfor; 29.0: deploy_coalition;
    30.0, 30.1: set_up; 30.2(2): _carry_over, _clear; 30.2(3), 30.2(4): second_battle
rules.r08_forces  8.2: stack_fault, rules.r13_movement:_held_up, rules.r13_movement:_room_fault;
    8.3: choose_force, force_fault, rules.r13_movement:movement_value; 24.3: force_fault, playing.offers:forces;
    24.6: airmobile_faults, _lifters
rules.r09_morale  9.2: morale_check, moved, tested; 9.3(1): picks, rules.r14_reaction:opened;
    9.3(2): stands, rules.r16_combat:OnTable.stands, rules.r16_described:ask_response
rules.r10_operations  10.1: offensive, playing.offers:offensives, playing.offers:rash; 10.1(1): offensive; 10.1(2): arrive;
    10.1(3): resolve; 10.1(4): arrive, resolve; 10.2: offensive; 15.0: resolve;
    23.1: interdict, rules.r16_combat:OnTable.spent, referee:Fallujah.available; 28.1: _movers; 32.0: joining_fault, networked;
    32.0(1), 32.0(2): networked; 32.0(3): _another, joining_fault, playing.begun:_joining; 33.0: interdict, _target
rules.r11_recruiting  4.2: _new_unit, rules.r16_described:read_fires, rules.r07_setup:deploy_coalition;
    11.0: recruit, playing.purse:reinforcements, playing.purse:restock; 11.1: place, _arrival, playing.begun:base;
    11.2: read_order, _new_unit, _not_for_sale; 30.2(1): assign_kept_leaders, rules.r07_setup:_carry_over, rules.r07_setup:_clear
rules.r12_netwar  12.0: isr; 12.1: look, _targets, playing.begun:isr; 12.2, 14.4: isr;
    19.0: gains, infowar, playing.begun:infowar; 20.2(b): isr, rules.r20_nodes:reveal
rules.r13_movement  13.0: remaining, rules.r13_routes:may_go, _by_ground; 13.1: _halting, _held_up, _way;
    13.2: points_left, _all_msr, _length_fault; 13.4: base_exit_fault, rules.r13_routes:west_fault, _held_up;
    24.1: _fly, playing.offers:points_of; 24.5: _fly; 25.1: _by_water, _water_fault; 25.2: amtrac_faults, slowest_of;
    27.1: infiltrates, _room_fault; 27.3: _by_water, _water_fault
rules.r13_routes  3.1: known_routes, playing.wild:printed, referee:Fallujah.printed;
    13.3: _crosses, may_go, rules.r13_movement:_leads;
    14.7: Map.blown, rules.r14_events:blow_bridges, rules.r14_events:downed_helicopter;
    28.2: learn_apart, learn_joined, rules.r16_combat:fob_bonus
rules.r14_events  7.2: random_space, referee:Fallujah.printed; 7.2(1), 7.2(2): random_space; 10.4: clear_away;
    14.3(2): carry_out, rules.r14_reaction:_carried_out;
    20.2(a): rear_area_raid, rules.r14_reaction:entered, rules.r20_nodes:reveal
rules.r14_reaction  14.1: react, rules.r13_movement:points_left, rules.r13_movement:remaining;
    14.1(1): entered, playing.scout:Scout.reacts; 14.1(2): picked, rules.r14_events:_then, entered; 14.1(3): picked;
    14.3: extra_picks, onward, picked; 14.3(1), 14.3(3): closed; 24.7: entered, pieces:is_ground
rules.r16_battle  12.3: ask_netwar, rules.r16_combat:OnTable.support, rules.r16_stage:Stage.commit_netwar;
    16.1(2): edge_winner, opfor_bonus, tactical_edge; 16.1(2a): edge_bonus, rules.r16_described:describe; 16.1(2b): edge_bonus;
    16.1(2d): tactical_edge; 16.1(3): fight; 16.1(3a): fire_support, playing.battle:strikes; 16.1(3b), 16.1(3c): fire;
    16.1(3d): support_return; 16.1(4): continuation; 16.1(5): fight, rules.r16_combat:fight; 16.1(6): continuation;
    23.2: ask_strikes, fire_support; 29.2: edge_bonus
rules.r16_combat  14.5: choose_markers, OnTable.stands, rules.r16_fire:wild; 16.1(1): fight, opening, scene;
    16.1(4c): Aloud.stay, rules.r16_stage:Stage.stay, playing.battle:fight_on;
    16.3: Aloud.spared, return_opfor, rules.r16_fire:coalition_losses; 16.4: opfor_at;
    16.7: Aloud.cornered, Aloud.withdraw, rules.r16_withdrawal:cornered;
    17.0: Aloud.loss_ops, rules.r20_nodes:capture, rules.r20_nodes:lost_battle; 22.0: choose_markers;
    23.5: collateral_here, rules.r16_fire:collateral_damage, rules.r16_fire:wild; 24.4: fighter;
    31.0: unsupported, rules.r08_forces:force_fault
rules.r16_described  16.0: described_battle; 16.1: describe, playing.verdict:told
rules.r16_fire  16.2: coalition_fires, opfor_fires, raw_hits; 16.5: hits_on_opfor; 16.6: fire_outcomes, opfor_losses;
    16.8: hits_on_opfor; 23.4(b): wild
rules.r16_stage  16.1(4a), 16.1(4b): Battle.won
rules.r16_withdrawal  16.9: evacuate; 24.2: evacuate, rules.r13_movement:_fly
rules.r18_logistics  18.0: logistics, playing.begun:logistics, playing.offers:others; 18.1, 18.2: refit;
    18.3: refit_places, refit; 18.3(a), 18.3(b): refit; 18.4: bridges, repair; 18.5: build, sites, playing.works:building
rules.r20_nodes  20.1: revealed_effects; 20.2: reveal; 20.2(c): reveal, rules.r13_movement:_held_up; 20.3: capture;
    21.1: hit_unit, referee:Fallujah.kia; 21.1(a), 21.1(b), 21.1(c): hit_unit; 27.2: capture;
    29.1: lose_leader, rules.r29_leaders:leader_check, playing.planner:_leader
rules.r35_players  35.0: who_commands, rules.r06_victory:_players, referee:Fallujah.credit
pieces  4.1: is_iraqi; 20.0: lies_concealed; 24.0: is_helicopter; 25.0: is_amtrac; 26.0: is_engineer; 27.0: is_sof;
    28.0: is_fob, is_ground
players  7.0: Own.practice; 10.0: Own.turn
playing.battle  16.1(2c): netwar
playing.offers  14.2: others
referee  9.1: Fallujah.morale; 10.3: Fallujah.begin_operation; 21.2: Fallujah.kia
(Written by python -m tests.support.rule_map --write)
"""

from __future__ import annotations

from companion.core.game import Game, Tables
from companion.games.fallujah2004.game import FallujahGame


def make(tables: Tables) -> Game:
    """The game over its tables."""
    return FallujahGame(tables)
