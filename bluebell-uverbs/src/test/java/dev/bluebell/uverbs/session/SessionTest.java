package dev.bluebell.uverbs.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bluebell.hca.HcaHosting;
import dev.bluebell.server.Client;
import dev.bluebell.server.LimitedLog;
import dev.bluebell.server.LocalSocket;
import dev.bluebell.server.Quotas;
import dev.bluebell.server.WatchedProcess;
import dev.bluebell.softnic.SoftNic;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.uverbs.call.ShimChannel;
import dev.bluebell.uverbs.pages.SharedRanges;
import dev.bluebell.uverbs.xrc.XrcDomains;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The pages of a client that opens the device. */
class SessionTest {
  @TempDir private Path folder;

  @Test
  void aSessionThatFailsToOpenLeavesNoPages() throws IOException {
    SoftNic nic = SoftNic.open(SoftNicOptions.DEFAULT);
    HcaHosting hosting = nic.hosting().orElseThrow();
    nic.close();
    long before = mappings();
    try (LocalSocket socket = LocalSocket.listen(folder.resolve("socket"));
        WatchedProcess process = WatchedProcess.open((int) ProcessHandle.current().pid())) {
      ShimChannel shim = new ShimChannel(socket);
      LimitedLog log = new LimitedLog("dev.bluebell.uverbs");
      Client client = new Client(socket, process, Quotas.of(Map.of()).open(1), log);
      assertThatThrownBy(
              () ->
                  Session.open(
                      nic, hosting, client, shim, new SharedRanges.Table(), new XrcDomains(nic)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("is closed");
    }
    // The collector may meanwhile unmap memory of other tests.
    assertThat(mappings()).isLessThanOrEqualTo(before);
  }

  private static long mappings() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/maps")).stream()
        .filter(line -> line.contains("bluebell-device"))
        .count();
  }
}
