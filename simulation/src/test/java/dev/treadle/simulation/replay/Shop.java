// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation.replay;

import dev.treadle.CommandRegistry;
import dev.treadle.Process;
import dev.treadle.ProcessRef;
import dev.treadle.Scheduler;
import dev.treadle.Submission;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import shop.Till;
import shop.Till.Charge;
import shop.Till.Sale;

/** Runs tills on a real scheduler while they are recorded. */
final class Shop {
    static final Duration TIMEOUT = Duration.ofSeconds(30);

    /** What makes all replays of tills possible. */
    static final String TYPES = "shop.*";

    private Shop() {}

    static Scheduler open() {
        CommandRegistry handlers = new CommandRegistry().registerBlocking(Charge.class, charge -> {
            if (charge.cents() > 1_000) {
                throw new IllegalArgumentException("declined: " + charge.cents());
            }
            return "paid " + charge.cents();
        });
        return Scheduler.builder().workers(2).handlers(handlers).seed(42).start();
    }

    /** Lets a till live a whole life that uses everything. Its event 2 or later is the first sale. */
    static ProcessRef live(Scheduler scheduler, Process till) throws Exception {
        ProcessRef ref = scheduler.submit(Submission.of(till, "main", 100).attribute("shop", "north"));
        ref.send("sale", new Sale("tea", 250, List.of()));
        ref.send("prize", null);
        ref.send("sale", new Sale("pot", 900, List.of("card", "fragile")));
        ref.send("sale", new Sale("samovar", 9_900, List.of("card", "ask")));
        ref.ask("time", null, TIMEOUT).get();
        ref.send("prize", null);
        ref.send("sale", new Sale("cup", 120, List.of("ask")));
        Object sum = ref.ask("sum", null, TIMEOUT).get();
        if (!sum.equals(11_270)) {
            throw new AssertionError("the sum was " + sum);
        }
        ref.send("close", null);
        ref.result().get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        return ref;
    }

    /** Records one life of a till. */
    static RecordedLife recordedLife(Path folder) throws Exception {
        ProcessRef ref;
        try (Recorder recorder = Recorder.builder(folder).start()) {
            try (Scheduler scheduler = open()) {
                ref = live(scheduler, recorder.recording(new Till()));
            }
        }
        return Recording.read(folder).life(ref.pid()).orElseThrow();
    }
}
