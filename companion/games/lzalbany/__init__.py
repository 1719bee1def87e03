"""LZ Albany: Ia Drang Valley, 17-18 November 1965 (Modern War 24, Decision Games 2016).

Rules and the functions that carry them out, below this folder:
2.2  arrange:arrange, ground:load_map
2.3  game:AlbanyGame.banner
2.4  arrange:counter, setup:make_counters
3.2  setup:set_up
3.2A  setup:set_up
3.2B  setup:make_chits
3.2C  setup:deploy
3.2D  setup:_sawgrass
3.2E  setup:deploy
3.3  turn:go_on
3.4  setup:reinforce
3.5  counters:may_fire, counters:may_move, event_phase:event_phase
3.6  chits:draw_chit, chits:end_of_action_phase
3.7  rally:rally_phase
3.8  event_phase:clear_incidents, turn:administrative, turn:_chits_back
4.1  hits:Wishes.points, hits:award_of, referee:LzAlbany.award
4.1B  air:air_casualty, melee:_columbus_points
4.1C  victory:control
4.2  referee:LzAlbany.award, turn:administrative, referee:LzAlbany._milestones
4.3  victory:fallen, victory:final_count
5.1  chits:draw_chit, setup:make_chits, turn:_chits_back
5.2  chits:fire_move, referee:LzAlbany.used_boxes, chits:_group
5.2A  chits:_action, chits:_plan
5.2D  counters:is_senior, melee:joining, movement:_may_act
5.2E  referee:LzAlbany.retreat, chits:_action, movement:_path
5.3  chits:adrenaline, chits:_rapid, movement:_path
5.4  artillery:artillery_chit, chits:_support
5.4A  artillery:batteries
5.4B  artillery:silenced
5.5  chits:_support
5.5C  dustoff:dustoff_chit
5.6  air:grounded, chits:_support
6.1  setup:check_stacks
6.2  movement:carry_out, movement:move_action, movement:_path
6.2A  movement:leader_of, movement:_able
6.2B  chits:_rapid
6.2C  movement:_able
6.3  counters:needs_carrying, dustoff:evacuate, dustoff:hot
6.4  dustoff:airlift
6.5  melee:_check_columbus, movement:_columbus, movement:_path
7.1  referee:LzAlbany.count
7.2  melee:melee, movement:melees, quick:brawl
7.2(1)  melee:clash, strength:melee_pool, melee:_attack
7.2(2)  melee:_defence, melee:clash, strength:melee_pool
7.2(3)  melee:clash
7.2(3b)  melee:_hits, melee:clash
7.2(4)  melee:retreat, melee:_retreats
7.2(5)  melee:retreat, melee:_retreats
7.2(6)  melee:_retreats
7.2A  infantry:ranged_targets
7.2B  artillery:silenced, melee:_defence
7.3  described:described_fire, fire:fire_action, infantry:ranged_targets
7.3(1)  infantry:infantry_fire
7.3(2)  infantry:prepare, strength:fire_pools, infantry:_shares
7.3(3)  infantry:prepare, strength:fire_pools
7.3(4)  infantry:Shot.check, infantry:Shot.fire
7.3(5)  infantry:Answer.check, infantry:Answer.fire, infantry:answer_pool
7.3(6)  infantry:_advance
7.4  mortars:mortar_fire, mortars:_legal, fire:fire_action
7.4(1)  mortars:mortar_targets, mortars:_legal
7.4(2)  mortars:barrage, mortars:mortar_pool
7.4(3)  mortars:_resolve
7.4(4)  mortars:_resolve
7.4(5)  mortars:_resolve
7.5  artillery:_one
7.5(1)  artillery:artillery_targets
7.5(2)  artillery:shell, artillery:_lands
7.5(3)  artillery:bombard, artillery:shell
7.5(4)  placing:chosen_by, artillery:bombard, artillery:shell
7.5(5)  artillery:bombard, artillery:shell
7.6  air:gunships_chit
7.6(1)  air:in_reach
7.6(2)  air:strafe
7.6(3)  air:gunship_strength, air:strafe
7.6(4)  air:strafe
7.7  air:skyraider_chit, air:in_reach
7.7A  air:bombs
7.7A(1)  air:bomb
7.7A(2)  air:bomb
7.7A(3)  air:_collateral
7.7B  air:napalm
7.7B(1)  air:burn, air:_burn
7.7B(2)  air:burn
7.7B(3)  air:_spread
7.8  areas:Map.sight, ground:spotted
8.1  hits:place_hits, placing:take_hits, referee:Book.placed
8.2  hits:Target.struck, paper:Described.apply_hits, referee:LzAlbany.apply_hits
8.3  rally:hit_units, movement:_able
8.4  referee:LzAlbany.destroy_wounded
8.4A  melee:check_carried
8.4B  dustoff:evacuate
8.4C  chits:_wounded, chits:end_of_action_phase
8.4D  chits:_wounded, chits:end_of_action_phase
9.0  rally:hit_units
9.1  rally:rally
9.2  rally:whom, rally:rally
10.1  movement:_alone, melee:joining, movement:_may_act
10.2  movement:carry_out
10.3  chits:flares, ground:spotted, movement:leader_of
10.4  placing:casualty_die, referee:LzAlbany.wound_officer, counters:needs_carrying
11.0  referee:LzAlbany.night
11.1  referee:LzAlbany.dark
11.1A  ground:_adjacent
11.1B  described:by_night
11.1C  air:grounded
11.1D  melee:_found
11.2  chits:flares, referee:LzAlbany.dark, chits:_wounded
(Written by python -m tests.support.rule_map --write)
"""

from __future__ import annotations

from companion.core.game import Game, Tables
from companion.games.lzalbany.game import AlbanyGame


def make(tables: Tables) -> Game:
    """The game over its tables."""
    return AlbanyGame(tables)
