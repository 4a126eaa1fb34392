// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BankTest {
    private final Bank bank = new Bank();

    @BeforeEach
    void open() {
        bank.open("Ada");
    }

    @AfterEach
    void close() {
        bank.close();
    }

    @Test
    void whenMoneyComesAndGoes_thenTheBalanceIsRight() throws Exception {
        assertThat(bank.ask("Ada", "deposit", 100).get()).isEqualTo(100L);
        assertThat(bank.ask("Ada", "withdraw", 30).get()).isEqualTo(70L);
        assertThat(bank.ask("Ada", "balance", null).get()).isEqualTo(70L);
    }

    @Test
    void whenManyDepositAtOnce_thenNothingIsLost() {
        List<CompletableFuture<Object>> deposits = IntStream.range(0, 1_000)
                .mapToObj(i -> bank.ask("Ada", "deposit", 1))
                .toList();

        deposits.forEach(CompletableFuture::join);

        assertThat(bank.ask("Ada", "balance", null).join()).isEqualTo(1_000L);
    }

    @Test
    void whenThereIsNotEnough_thenItIsRefusedAndTheAccountLivesOn() throws Exception {
        bank.ask("Ada", "deposit", 10).get();

        assertThatThrownBy(() -> bank.ask("Ada", "withdraw", 11).get())
                .hasStackTraceContaining("11 is more than the 10 that Ada has: withdraw less");
        assertThat(bank.ask("Ada", "balance", null).get()).isEqualTo(10L);
    }

    @Test
    void whenAnAccountCrashes_thenItComesBackWithItsBalanceAndOthersNoticeNothing() throws Exception {
        bank.open("Alan");
        bank.ask("Alan", "deposit", 5).get();
        bank.ask("Ada", "deposit", 100).get();

        assertThatThrownBy(() -> bank.ask("Ada", "nonsense", null).get())
                .as("who asked is told, and does not wait for the timeout")
                .hasStackTraceContaining("AskFailedException");

        await().atMost(Duration.ofMinutes(1))
                .ignoreExceptions()
                .untilAsserted(
                        () -> assertThat(bank.ask("Ada", "balance", null).get()).isEqualTo(100L));
        assertThat(bank.ask("Alan", "balance", null).get()).isEqualTo(5L);
    }

    @Test
    void whenThereIsNoAccount_thenItSaysSo() {
        assertThatThrownBy(() -> bank.ask("Bob", "balance", null).get()).hasMessageContaining("Bob has no account");
    }
}
