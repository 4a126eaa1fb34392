// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.treadle.Pid;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a node tells of one process and the others. */
class ProcessRelationsTest {
    private final SteppedNode stepped = Node.builder().host("a").host("b").stepped();
    private final Node node = stepped.node();
    private final Pid pid =
            node.spawn(Spawn.of(Probe::new).on("a").name("first")).pid();
    private final Pid other = node.spawn(Spawn.of(Probe::new).on("b")).pid();

    @AfterEach
    void close() {
        stepped.close();
    }

    @Test
    void allRelationsAreTold() {
        node.names().register("second", pid);
        node.groups().join("workers", pid);
        node.link(pid, other);
        Monitor monitor = node.monitor(other, pid);
        node.trapExits(pid, true);

        ProcessRelations relations = node.relations(pid);

        assertThat(relations.names()).containsExactlyInAnyOrder("first", "second");
        assertThat(relations.groups()).containsExactly("workers");
        assertThat(relations.links()).containsExactly(other);
        assertThat(relations.monitors()).containsExactly(monitor);
        assertThat(relations.trapsExits()).isTrue();
        assertThat(node.relations(other).links()).as("from the other side").containsExactly(pid);
        assertThat(node.relations(other).trapsExits()).isFalse();
    }

    @Test
    void whoHasNoneAndWhoIsNotThereHaveNone() {
        assertThat(node.relations(other)).isEqualTo(ProcessRelations.NONE);
        assertThat(node.relations(Pid.of("a", 999))).isEqualTo(ProcessRelations.NONE);
        assertThat(node.relations(Pid.of("nowhere", 1))).isEqualTo(ProcessRelations.NONE);

        node.terminate(pid, "now");
        stepped.runAll();
        assertThat(node.relations(pid)).isEqualTo(ProcessRelations.NONE);
    }

    @Test
    void allNamesAndGroupsCanBeWalked() {
        node.names().register("second", other);
        node.groups().join("workers", pid);
        node.groups().join("workers", other);
        node.groups().watch("empty", pid);
        var names = new HashMap<String, Pid>();
        var groups = new HashMap<String, Integer>();

        node.names().forEach(names::put);
        node.groups().forEach(groups::put);

        assertThat(names).isEqualTo(node.names().all()).hasSize(2);
        assertThat(groups).as("the watched one has no members").isEqualTo(Map.of("workers", 2));
    }

    @Test
    void whatIsToldDoesNotChangeLater() {
        ProcessRelations before = node.relations(pid);
        node.names().register("second", pid);

        assertThat(before.names()).containsExactly("first");
    }
}
