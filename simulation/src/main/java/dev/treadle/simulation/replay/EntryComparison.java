// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation.replay;

import dev.treadle.simulation.replay.Entry.NodeCall;
import dev.treadle.simulation.replay.Entry.Reply;
import dev.treadle.simulation.replay.Entry.Send;
import dev.treadle.simulation.replay.Entry.Spawn;
import dev.treadle.simulation.replay.Entry.StepEnd;
import dev.treadle.simulation.replay.Entry.Threw;
import dev.treadle.simulation.replay.Entry.TimerCancel;
import dev.treadle.simulation.replay.Entry.TimerSet;
import dev.treadle.simulation.replay.Entry.Yield;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Says whether a process did the same as was recorded. What came of it, which is not the process's doing, is left out. */
final class EntryComparison {
    private final ValueComparison values;

    EntryComparison(ValueComparison values) {
        this.values = values;
    }

    boolean same(Entry a, Entry b) {
        if (a.getClass() != b.getClass()) {
            return false;
        }
        List<@Nullable Object> x = parts(a);
        List<@Nullable Object> y = parts(b);
        for (int i = 0; i < x.size(); i++) {
            boolean same = (x.get(i) instanceof Value v && y.get(i) instanceof Value w)
                    ? values.same(v, w)
                    : Objects.equals(x.get(i), y.get(i));
            if (!same) {
                return false;
            }
        }
        return true;
    }

    private static List<@Nullable Object> parts(Entry entry) {
        if (entry instanceof Send send) {
            return Arrays.asList(send.target(), send.topic(), send.payload());
        } else if (entry instanceof Spawn spawn) {
            return Arrays.asList(spawn.type(), spawn.method(), spawn.input(), spawn.attributes());
        } else if (entry instanceof Reply reply) {
            return Arrays.asList(reply.event(), reply.payload(), reply.error());
        } else if (entry instanceof TimerSet timer) {
            return Arrays.asList(timer.number(), timer.periodic(), timer.nanos(), timer.topic(), timer.payload());
        } else if (entry instanceof NodeCall call) {
            return Arrays.asList(call.method(), call.arguments());
        } else if (entry instanceof TimerCancel cancel) {
            return Arrays.asList((Object) cancel.number());
        } else if (entry instanceof Yield yield) {
            return Arrays.asList(yield.command(), yield.tag(), yield.timeoutNanos());
        } else if (entry instanceof StepEnd end) {
            return Arrays.asList(
                    end.next(), end.result(), end.successor(), end.method(), end.input(), end.keepsYields());
        } else if (entry instanceof Threw threw) {
            return Arrays.asList(threw.error());
        }
        return List.of();
    }
}
