// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli.run;

import dev.treadle.Event;
import dev.treadle.Events;
import dev.treadle.Message;
import dev.treadle.Payloads;
import dev.treadle.Process;
import dev.treadle.ProcessContext;
import dev.treadle.Signal;
import dev.treadle.StepOutput;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A service that tells the test what happens to it. */
public final class Teller implements Process {
    static final List<String> TOLD = new CopyOnWriteArrayList<>();

    private String name = "?";

    @Override
    public void init(ProcessContext context, String method, Payloads input) {
        name = input.isEmpty() ? method : input.get(0, String.class);
        if (name.equals("refuse")) {
            throw new IllegalArgumentException("it refuses to start");
        }
        TOLD.add("start " + name);
    }

    @Override
    public void step(Events events, StepOutput out) {
        if (name.equals("end")) {
            out.done("ended with " + name);
        }
        for (Event event : events) {
            if (event instanceof Message message) {
                throw new IllegalStateException(message.topic());
            } else if (event instanceof Signal signal && signal.isCancel()) {
                out.done();
            }
        }
    }

    @Override
    public void close() {
        TOLD.add("close " + name);
    }
}
