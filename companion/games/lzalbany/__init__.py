"""LZ Albany: Ia Drang Valley, 17-18 November 1965 (Modern War 24, Decision Games 2016).

Rules and the functions that carry them out, below this folder:
2.2  rules.r02_board:arrange, rules.r02_map:load_map
2.3  game:AlbanyGame.banner
2.4  rules.r02_board:counter, rules.r03_setup:make_counters
3.2  rules.r03_setup:set_up
3.2A  rules.r03_setup:set_up
3.2B  rules.r03_setup:make_chits
3.2C  rules.r03_setup:deploy
3.2D  rules.r03_setup:_sawgrass
3.2E  rules.r03_setup:deploy
3.3  rules.r03_turn:go_on
3.4  rules.r03_setup:reinforce
3.5  rules.r03_events:event_phase, rules.r03_events:take_effect, rules.r03_events:_event
3.6  rules.r05_chits:draw_chit, rules.r05_chits:end_of_action_phase
3.7  rules.r09_rally:rally_phase
3.8  rules.r03_events:clear_incidents, rules.r03_turn:administrative, rules.r03_turn:_chits_back
4.1  rules.r04_victory:count, rules.r04_victory:final_count, rules.r08_hits:Wishes.points
4.1B  rules.r07_air:air_casualty, rules.r07_melee:_columbus_points
4.1C  rules.r04_victory:control
4.2  rules.r03_turn:administrative, referee:LzAlbany.award, referee:LzAlbany._milestones
4.3  rules.r04_victory:fallen, rules.r04_victory:final_count
5.1  rules.r03_setup:make_chits, rules.r05_chits:draw_chit, rules.r03_turn:_chits_back
5.2  rules.r05_chits:fire_move, rules.r05_chits:_group, rules.r05_chits:_plan
5.2A  rules.r05_chits:_action, rules.r05_chits:_plan
5.2D  rules.r07_melee:joining, rules.r06_movement:_may_act
5.2E  rules.r05_chits:_action, rules.r06_movement:_path, referee:LzAlbany.retreat
5.3  rules.r05_chits:adrenaline, rules.r05_chits:_rapid, rules.r06_movement:_path
5.4  rules.r07_artillery:artillery_chit, rules.r05_chits:_support
5.4A  rules.r07_artillery:batteries
5.4B  rules.r07_artillery:silenced
5.5  rules.r05_chits:_support
5.5C  rules.r06_dust_off:dustoff_chit
5.6  rules.r07_air:grounded, rules.r05_chits:_support
6.1  rules.r03_setup:check_stacks, rules.r06_ways:room_in
6.2  rules.r06_movement:carry_out, rules.r06_movement:move_action, rules.r06_movement:_path
6.2A  rules.r06_movement:leader_of, rules.r06_movement:_able
6.2B  rules.r05_chits:_rapid
6.2C  rules.r06_movement:_able
6.3  rules.r06_dust_off:evacuate, rules.r06_dust_off:hot, rules.r06_ways:check_carried
6.4  rules.r06_dust_off:airlift
6.5  rules.r06_ways:check_exit, rules.r06_movement:_columbus, rules.r06_movement:_path
7.1  referee:LzAlbany.count
7.2  rules.r06_movement:melees, rules.r07_melee:melee, rules.r07_fire:fire_action
7.2(1)  rules.r06_stacking:melee_pool, rules.r07_melee:clash, rules.r07_melee:_attack
7.2(2)  rules.r07_melee:_defence, rules.r06_stacking:melee_pool, rules.r07_melee:clash
7.2(3)  rules.r07_melee:clash
7.2(3b)  rules.r07_melee:_hits, rules.r07_melee:clash
7.2(4)  rules.r07_melee:retreat, rules.r07_melee:_retreats
7.2(5)  rules.r07_melee:retreat, rules.r07_melee:_retreats
7.2(6)  rules.r07_melee:_retreats
7.2A  rules.r07_infantry:ranged_targets
7.2B  rules.r07_artillery:silenced, rules.r07_melee:_defence
7.3  rules.r07_fire:fire_action, rules.r07_infantry:ranged_targets
7.3(1)  rules.r07_infantry:infantry_fire
7.3(2)  rules.r06_stacking:fire_pools, rules.r07_infantry:prepare, rules.r07_infantry:_shares
7.3(3)  rules.r06_stacking:fire_pools, rules.r07_infantry:prepare
7.3(4)  rules.r07_infantry:Shot.check, rules.r07_infantry:Shot.fire
7.3(5)  rules.r07_infantry:Answer.check, rules.r07_infantry:Answer.fire, rules.r07_infantry:answer_pool
7.3(6)  rules.r07_infantry:_advance
7.4  rules.r07_mortars:mortar_fire, rules.r07_mortars:_legal, rules.r07_fire:fire_action
7.4(1)  rules.r07_mortars:mortar_targets, rules.r07_mortars:_legal
7.4(2)  rules.r07_mortars:barrage, rules.r07_mortars:mortar_pool
7.4(3)  rules.r07_mortars:_resolve
7.4(4)  rules.r07_mortars:_resolve
7.4(5)  rules.r07_mortars:_resolve
7.5  rules.r07_artillery:_one
7.5(1)  rules.r07_artillery:artillery_targets
7.5(2)  rules.r07_artillery:shell, rules.r07_artillery:_lands
7.5(3)  rules.r07_artillery:bombard, rules.r07_artillery:shell
7.5(4)  rules.r08_placing:chosen_by, rules.r07_artillery:bombard, rules.r07_artillery:shell
7.5(5)  rules.r07_artillery:bombard, rules.r07_artillery:shell
7.6  rules.r07_air:gunships_chit
7.6(1)  rules.r07_air:in_reach
7.6(2)  rules.r07_air:strafe
7.6(3)  rules.r07_air:gunship_strength, rules.r07_air:strafe
7.6(4)  rules.r07_air:strafe
7.7  rules.r07_air:skyraider_chit, rules.r07_air:in_reach
7.7A  rules.r07_air:bombs
7.7A(1)  rules.r07_air:bomb
7.7A(2)  rules.r07_air:bomb
7.7A(3)  rules.r07_air:_collateral
7.7B  rules.r07_air:napalm
7.7B(1)  rules.r07_air:burn, rules.r07_air:_burn
7.7B(2)  rules.r07_air:burn
7.7B(3)  rules.r07_air:_spread
7.8  rules.r02_map:spotted
8.1  rules.r08_hits:place_hits, rules.r08_placing:take_hits, referee:Book.placed
8.2  rules.r08_hits:Target.struck, referee:LzAlbany.apply_hits, referee:LzAlbany.destroy_wounded
8.3  rules.r09_rally:hit_units, rules.r06_movement:_able
8.4  referee:LzAlbany.destroy_wounded
8.4A  rules.r06_ways:check_carried
8.4B  rules.r06_dust_off:evacuate
8.4C  rules.r05_chits:_wounded, rules.r05_chits:end_of_action_phase
8.4D  rules.r05_chits:_wounded, rules.r05_chits:end_of_action_phase
9.0  rules.r09_rally:hit_units
9.1  rules.r09_rally:rally
9.2  rules.r09_rally:whom, rules.r09_rally:rally
10.1  rules.r06_movement:_alone, rules.r07_melee:joining, rules.r06_movement:_may_act
10.2  rules.r06_movement:carry_out
10.3  rules.r02_map:spotted, rules.r05_chits:flares, rules.r06_movement:leader_of
10.4  rules.r08_placing:casualty_die, rules.r07_infantry:Answer.check, rules.r07_infantry:Shot.check
11.0  referee:LzAlbany.night
11.1  referee:LzAlbany.dark
11.1A  rules.r02_map:_adjacent
11.1B  rules.r06_stacking:_summed
11.1C  rules.r07_air:grounded
11.1D  rules.r07_melee:_found
11.2  rules.r05_chits:flares, rules.r05_chits:_wounded, referee:LzAlbany.dark
(Written by python -m tests.support.rule_map --write)
"""

from __future__ import annotations

from companion.core.game import Game, Tables
from companion.games.lzalbany.game import AlbanyGame


def make(tables: Tables) -> Game:
    """The game over its tables."""
    return AlbanyGame(tables)
