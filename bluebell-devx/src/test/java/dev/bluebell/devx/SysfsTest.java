package dev.bluebell.devx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.HcaIdentity;
import dev.bluebell.hca.counter.PortCounter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Finding devices in sysfs, with messages that name what is missing. */
class SysfsTest {
  private static final String X86_64 = "amd64";

  @TempDir private Path root;

  private Sysfs sysfs() {
    return new Sysfs(root.resolve("sys/class"), root.resolve("dev/infiniband"));
  }

  private DevxProvider provider() {
    return new DevxProvider(sysfs(), X86_64);
  }

  private void put(Path file, String text) throws IOException {
    Path unused = Files.createDirectories(file.getParent());
    unused = Files.writeString(file, text + "\n");
  }

  private void device(int number, String name, String vendor, String driver, String abi)
      throws IOException {
    Path entry = root.resolve("sys/class/infiniband_verbs/uverbs" + number);
    put(entry.resolve("ibdev"), name);
    put(entry.resolve("abi_version"), abi);
    put(entry.resolve("device/vendor"), vendor);
    Path unused =
        Files.createSymbolicLink(
            entry.resolve("device/driver"), Path.of("../../../../bus/pci/drivers", driver));
  }

  private void card(int number, String name) throws IOException {
    device(number, name, "0x15b3", "mlx5_core", "1");
    put(root.resolve("dev/infiniband/uverbs" + number), "");
  }

  @Test
  void cardsHaveTheNamesThatTheKernelHasForThem() throws IOException {
    card(10, "mlx5_0");
    card(2, "rocep1s0f0");
    put(root.resolve("sys/class/infiniband_verbs/abi_version"), "6");
    assertThat(provider().names()).containsExactly("rocep1s0f0", "mlx5_0");
    assertThat(sysfs().find("mlx5_0"))
        .isEqualTo(
            new UverbsDevice(
                "mlx5_0",
                root.resolve("dev/infiniband/uverbs10"),
                root.resolve("sys/class/infiniband/mlx5_0/ports/1"),
                new HcaIdentity(0, "0.0.0000", "unknown")));
  }

  @Test
  void countersAreThoseWhoseFilesTheKernelHas() throws IOException {
    card(0, "mlx5_0");
    Path port = root.resolve("sys/class/infiniband/mlx5_0/ports/1");
    put(port.resolve("counters/port_xmit_data"), "18446744073709551615");
    put(port.resolve("hw_counters/out_of_sequence"), "7");
    assertThat(sysfs().find("mlx5_0").counters())
        .containsExactly(
            Map.entry(PortCounter.PORT_XMIT_DATA, -1L), Map.entry(PortCounter.OUT_OF_SEQUENCE, 7L));
  }

  @Test
  void filesWithoutANumberAreLeftOut() throws IOException {
    card(0, "mlx5_0");
    put(root.resolve("sys/class/infiniband_verbs/uverbs0/device/device"), "unknown");
    Path port = root.resolve("sys/class/infiniband/mlx5_0/ports/1");
    put(port.resolve("counters/port_xmit_data"), "N/A (no PMA)");
    put(port.resolve("counters/port_rcv_data"), "");
    put(port.resolve("hw_counters/out_of_sequence"), "7");
    UverbsDevice card = sysfs().find("mlx5_0");
    assertThat(card.counters()).containsExactly(Map.entry(PortCounter.OUT_OF_SEQUENCE, 7L));
    assertThat(card.identity().part()).isZero();
  }

  @Test
  void aCardIsCalledAsTheKernelCallsIt() throws IOException {
    card(0, "mlx5_0");
    put(root.resolve("sys/class/infiniband_verbs/uverbs0/device/device"), "0x1017");
    put(root.resolve("sys/class/infiniband/mlx5_0/fw_ver"), "16.35.2000");
    put(root.resolve("sys/class/infiniband/mlx5_0/board_id"), "MT_0000000008");
    assertThat(sysfs().find("mlx5_0").identity())
        .isEqualTo(new HcaIdentity(0x1017, "16.35.2000", "MT_0000000008"));
  }

  @Test
  void aSubFunctionIsKnownByItsDriverAlone() throws IOException {
    card(0, "mlx5_4");
    Files.delete(root.resolve("sys/class/infiniband_verbs/uverbs0/device/vendor"));
    Files.delete(root.resolve("sys/class/infiniband_verbs/uverbs0/device/driver"));
    Path unused =
        Files.createSymbolicLink(
            root.resolve("sys/class/infiniband_verbs/uverbs0/device/driver"),
            Path.of("/sys/bus/auxiliary/drivers/mlx5_core.sf"));
    assertThat(provider().names()).containsExactly("mlx5_4");
  }

  @Test
  void aDeviceWithoutItsFileIsNotOffered() throws IOException {
    card(0, "mlx5_0");
    device(1, "mlx5_1", "0x15b3", "mlx5_core", "1");
    assertThat(provider().names()).containsExactly("mlx5_0");
    assertThatExceptionOfType(HcaException.class)
        .isThrownBy(() -> provider().open("mlx5_1"))
        .withMessageContaining("uverbs1 does not exist: in a container, pass it in");
  }

  @Test
  void missingKernelModulesAreReported() {
    assertThat(provider().names()).isEmpty();
    assertThatExceptionOfType(HcaException.class)
        .isThrownBy(() -> provider().open("mlx5_0"))
        .withMessageContaining("device mlx5_0: this machine has no ")
        .withMessageContaining("modprobe mlx5_ib")
        .withMessageContaining("the software device 'soft' works without a card");
  }

  @Test
  void aMissingCardIsReported() throws IOException {
    Path unused = Files.createDirectories(root.resolve("sys/class/infiniband_verbs"));
    assertThatExceptionOfType(HcaException.class)
        .isThrownBy(() -> provider().open("rocep1s0f0"))
        .withMessageContaining("device rocep1s0f0: sysfs lists no ConnectX");
  }

  @Test
  void anUnknownNameIsRefusedWithTheNamesThatExist() throws IOException {
    card(0, "mlx5_0");
    card(1, "mlx5_1");
    assertThatExceptionOfType(HcaException.class)
        .isThrownBy(() -> provider().open("mlx5_7"))
        .withMessageContaining("this machine has mlx5_0, mlx5_1");
  }

  @Test
  void aDeviceOfAnotherDriverIsRefusedByItsDriver() throws IOException {
    device(0, "rxe0", "0x10ec", "rdma_rxe", "1");
    assertThat(provider().names()).isEmpty();
    assertThatExceptionOfType(HcaException.class)
        .isThrownBy(() -> provider().open("rxe0"))
        .withMessageContaining("device rxe0: its kernel driver is rdma_rxe");
  }

  @Test
  void anotherVersionOfTheInterfaceIsRefused() throws IOException {
    device(0, "mlx5_0", "0x15b3", "mlx5_core", "2");
    assertThatExceptionOfType(HcaException.class)
        .isThrownBy(() -> provider().open("mlx5_0"))
        .withMessageContaining(
            "its kernel driver has ABI version 2, but Bluebell supports version 1");
  }

  @Test
  void namesOfOtherProvidersAreLeftToThem() throws IOException {
    card(0, "mlx5_0");
    assertThat(provider().open("soft")).isEmpty();
    assertThat(provider().open("socket:/run/device.sock")).isEmpty();
    assertThat(provider().open("ibsomething/else")).isEmpty();
  }

  @Test
  void anotherProcessorIsRefusedWithTheReason() throws IOException {
    card(0, "mlx5_0");
    DevxProvider provider = new DevxProvider(sysfs(), "aarch64");
    assertThat(provider.names()).isEmpty();
    assertThatExceptionOfType(HcaException.class)
        .isThrownBy(() -> provider.open("mlx5_0"))
        .withMessageContaining("cards are not supported on aarch64")
        .withMessageContaining("dmb oshst");
  }

  @Test
  void aFileThatIsNoDeviceIsRefusedByTheFirstCall() throws IOException {
    card(0, "mlx5_0");
    assertThatExceptionOfType(HcaException.class)
        .isThrownBy(() -> provider().open("mlx5_0"))
        .withMessageContaining("the kernel does not open contexts by ioctl");
  }
}
