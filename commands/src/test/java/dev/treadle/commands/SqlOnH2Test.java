// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.commands;

import java.util.UUID;

class SqlOnH2Test extends SqlContract {
    private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1;MODE=REGULAR";

    @Override
    String url() {
        return url;
    }

    @Override
    String endless() {
        return "select count(*) from system_range(1, 1000000000000) where mod(x, 7) = 8";
    }

    @Override
    String endlessNumber() {
        return endless();
    }

    @Override
    String bytesType() {
        return "varbinary(100)";
    }
}
