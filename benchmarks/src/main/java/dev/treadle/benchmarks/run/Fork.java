// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.run;

import dev.treadle.benchmarks.Contender;
import dev.treadle.benchmarks.Peer;
import dev.treadle.benchmarks.StarvedException;
import dev.treadle.benchmarks.Workload;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** The main class of the JVM that measures one contender on one workload. Its last line is the result as JSON. */
public final class Fork {
    /** What the line with the result begins with. */
    static final String RESULT = "result ";

    private Fork() {}

    /** Measures. The arguments are contender, workload, workers, and "quick" or "full". */
    public static void main(String[] args) {
        Contender contender = Contender.of(args[0]).orElseThrow();
        Workload workload = Workload.of(args[1]).orElseThrow();
        int workers = Integer.parseInt(args[2]);
        Plan plan = args[3].equals("quick") ? Plan.QUICK : Plan.FULL;
        PrintStream out = System.out;
        ForkResult result;
        try (Peer peer = contender.start(workers)) {
            result = measure(peer, workload, plan);
            out.println(RESULT + Json.line(result));
            out.flush();
        } catch (Throwable failed) {
            failed.printStackTrace();
            out.println(RESULT + Json.line(ForkResult.without(ForkResult.Status.FAILED, failed.toString())));
            out.flush();
        }
        // A million processes may be left, and nobody waits for them.
        Runtime.getRuntime().halt(0);
    }

    static ForkResult measure(Peer peer, Workload workload, Plan plan) throws Exception {
        int size = plan.size(workload);
        Disturbance disturbance = Disturbance.watch(workload.isMostlyAsleep());
        try {
            if (!workload.isMeasuredOnce()) {
                repeat(peer, workload, size, plan.warmupIterations(), plan.warmupSeconds(), plan.iterationsMax());
            }
            disturbance = Disturbance.watch(workload.isMostlyAsleep()); // anew: what was before does not count
            List<double[]> all = workload.isMeasuredOnce()
                    ? List.of(workload.run(peer, size))
                    : repeat(peer, workload, size, plan.iterations(), plan.seconds(), plan.iterationsMax());
            return new ForkResult(ForkResult.Status.OK, medians(all), all.size(), disturbance.share(), null);
        } catch (StarvedException starved) {
            return ForkResult.without(
                    ForkResult.Status.STARVED, disturbance.share(), String.valueOf(starved.getMessage()));
        }
    }

    private static List<double[]> repeat(
            Peer peer, Workload workload, int size, int iterations, double seconds, int iterationsMax)
            throws Exception {
        var all = new ArrayList<double[]>();
        long start = System.nanoTime();
        while (all.size() < iterationsMax && (all.size() < iterations || System.nanoTime() - start < seconds * 1e9)) {
            all.add(workload.run(peer, size));
        }
        return all;
    }

    private static List<Double> medians(List<double[]> all) {
        return IntStream.range(0, all.get(0).length)
                .mapToObj(figure -> Statistics.median(
                        all.stream().mapToDouble(figures -> figures[figure]).toArray()))
                .toList();
    }
}
