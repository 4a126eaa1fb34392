// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.treadle.Pid;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Defaults of supervisors and children, and what is refused. */
class SupervisorSpecTest {
    private static final Spawn SPAWN = Spawn.of(Probe::new);

    @Test
    void theDefaultsAreThoseOfOtp() {
        SupervisorSpec spec = SupervisorSpec.oneForOne();
        assertThat(spec.intensity()).isEqualTo(1);
        assertThat(spec.period()).isEqualTo(Duration.ofSeconds(5));

        ChildSpec worker = ChildSpec.of("a", SPAWN);
        assertThat(worker.restart()).isEqualTo(Restart.PERMANENT);
        assertThat(worker.shutdown()).isEqualTo(Duration.ofSeconds(5));
        ChildSpec supervisor = ChildSpec.supervisor("s", spec);
        assertThat(supervisor.restart()).isEqualTo(Restart.PERMANENT);
        assertThat(supervisor.shutdown()).as("no limit").isNull();
    }

    @Test
    void aSpecIsNotChangedByItsCopies() {
        SupervisorSpec spec = SupervisorSpec.oneForAll();
        assertThat(spec.child("a", SPAWN).intensity(7, Duration.ofSeconds(1)).children())
                .hasSize(1);
        assertThat(spec.children()).isEmpty();
        assertThat(spec.intensity()).isEqualTo(1);
    }

    @Test
    void aNegativeIntensityIsRefused() {
        assertThatThrownBy(() -> SupervisorSpec.oneForOne().intensity(-1, Duration.ofSeconds(1)))
                .hasMessage("restarts was -1, must not be negative: use 0 to allow none");
    }

    @Test
    void aPeriodThatIsNotPositiveIsRefused() {
        assertThatThrownBy(() -> SupervisorSpec.oneForOne().intensity(1, Duration.ZERO))
                .hasMessageContaining("period was PT0S, must be positive");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  "})
    void aBlankIdIsRefused(String id) {
        assertThatThrownBy(() -> ChildSpec.of(id, SPAWN)).hasMessageContaining("id was \"" + id + "\"");
    }

    @Test
    void aShutdownOfZeroPointsToTheBrutalOne() {
        assertThatThrownBy(() -> ChildSpec.of("a", SPAWN).shutdown(Duration.ZERO))
                .hasMessageContaining("shutdown of child \"a\" was PT0S")
                .hasMessageContaining("use shutdownBrutal()");
    }

    @Test
    void aSpawnThatSomebodyElseMonitorsIsRefused() {
        assertThatThrownBy(() -> ChildSpec.of("a", SPAWN.monitoredBy(Pid.of("h", 1))))
                .hasMessageContaining("child \"a\" is monitored by " + Pid.of("h", 1));
    }
}
