// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.treadle.Pid;
import dev.treadle.node.Node;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DeviceFleetTest {
    private final Node node = DeviceFleet.start(3, 4, Duration.ofMillis(20));

    @BeforeEach
    void awaitAll() {
        await().atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(DeviceFleet.readings(node)).hasSize(12));
    }

    @AfterEach
    void close() {
        node.close();
    }

    @Test
    void whenOneBreaks_thenItIsStartedAgainUnderItsName() {
        Optional<Pid> before = node.names().find("device-1-2");

        node.names().send("device-1-2", "break", null);

        await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> {
            assertThat(node.names().find("device-1-2")).isPresent().isNotEqualTo(before);
            assertThat(node.groups().members("site-1"))
                    .hasSize(4)
                    .contains(node.names().find("device-1-2").orElseThrow())
                    .doesNotContain(before.orElseThrow());
            assertThat(node.tree().toString()).contains("device-1-2 ").contains("restarted once");
        });
    }

    @Test
    void whenASiteIsToldSomething_thenItsDevicesDoItAndNoOthers() {
        assertThat(node.groups().broadcast("site-2", "target", 80)).isEqualTo(4);

        await().atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(DeviceFleet.readings(node)).allSatisfy((device, value) -> {
                    if (device.startsWith("device-2-")) {
                        assertThat(value).as(device).isBetween(79, 81);
                    } else {
                        assertThat(value).as(device).isBetween(19, 21);
                    }
                }));
    }
}
