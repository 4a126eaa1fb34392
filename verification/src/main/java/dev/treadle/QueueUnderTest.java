// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

/** The queue of one process that a stress test runs: the production class, or a twin of it. Ready, and empty. */
abstract class QueueUnderTest {

    static QueueUnderTest create() {
        return TwinQueue.isChosen() ? new TwinQueue() : new Production();
    }

    abstract EventStack.Push pushMessage(Object payload);

    abstract EventStack.Push pushUrgent();

    /** Owner only. */
    abstract boolean sleep(int state);

    /** Owner only: writes a field of the process, and turns idle. */
    abstract boolean writeAndSleep(byte value);

    /** Owner only: what was written. */
    abstract byte written();

    /** Writes 1 into the content, and sends it. */
    abstract void writeAndSend(int[] content);

    /** Owner only: takes what waits. 0 for nothing, 1 for a content of 1, 9 for another. */
    abstract int take();

    /** Owner only: closes the queue, and returns how many events were left. */
    abstract int finish();

    static int seen(Object payload) {
        return ((int[]) payload)[0] == 1 ? 1 : 9;
    }

    private static final class Production extends QueueUnderTest {
        private static final int CAPACITY = 4;

        private final ProcessCell cell = Cells.makeOpen("first", null);

        @Override
        EventStack.Push pushMessage(Object payload) {
            return cell.pushMessage(Message.of("topic", payload), CAPACITY);
        }

        @Override
        EventStack.Push pushUrgent() {
            return cell.pushUrgent(Completion.of(1, null, null));
        }

        @Override
        boolean sleep(int state) {
            return cell.sleep(state);
        }

        @Override
        boolean writeAndSleep(byte value) {
            cell.sleepsAs = value;
            return cell.sleep(ProcessState.IDLE);
        }

        @Override
        byte written() {
            return cell.sleepsAs;
        }

        @Override
        void writeAndSend(int[] content) {
            content[0] = 1;
            if (pushMessage(content) != EventStack.Push.QUEUED) {
                throw new IllegalStateException("not queued");
            }
        }

        @Override
        int take() {
            var batch = new EventBatch(CAPACITY);
            cell.take(batch, CAPACITY);
            return batch.isEmpty() ? 0 : seen(((Message) batch.get(0)).payload());
        }

        @Override
        int finish() {
            Backlog left = cell.finish();
            int count = 0;
            while (left != null && left.poll() != null) {
                count++;
            }
            return count;
        }
    }
}
