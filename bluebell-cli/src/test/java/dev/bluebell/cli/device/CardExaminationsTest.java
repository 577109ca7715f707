package dev.bluebell.cli.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.cli.device.Examination.Verdict;
import dev.bluebell.hca.HcaException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Missing requirements of a card are reported, for a file tree like the kernel's for a ConnectX-5
 * with one Ethernet port ({@code Documentation/ABI/stable/sysfs-class-infiniband}).
 */
class CardExaminationsTest {
  private static final String PCI = "sys/bus/pci/devices/0000:3b:00.0/";
  private static final String CARD = "sys/class/infiniband/mlx5_0/";
  private static final String VERBS = "sys/class/infiniband_verbs/uverbs0/";
  private static final String NODE = "dev/infiniband/uverbs0";
  private static final String BRIDGE = "sys/devices/pci0000:3a/0000:3a:00.0/";
  private static final String LIMITS = "proc/self/limits";
  private static final String STATUS = "proc/self/status";

  @TempDir private Path root;
  private final List<String> opened = new ArrayList<>();

  @BeforeEach
  void aMachineWithACard() throws IOException {
    put("proc/sys/kernel/osrelease", "6.1.0-18-amd64");
    put(STATUS, "Name:\tjava\nCapEff:\t0000000000000000\nSeccomp:\t0");
    limit("unlimited");
    put("proc/meminfo", "MemTotal: 1 kB\nHugePages_Total:     512");
    put("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never");
    for (String module : List.of("mlx5_core", "mlx5_ib", "ib_uverbs")) {
      put("sys/module/" + module + "/refcnt", "1");
    }
    put(PCI + "vendor", "0x15b3");
    put(PCI + "device", "0x1017");
    put(PCI + "class", "0x020000");
    put(PCI + "numa_node", "1");
    put(PCI + "iommu_group/type", "identity");
    for (String which : List.of("current", "max")) {
      put(PCI + which + "_link_speed", "8.0 GT/s PCIe");
      put(PCI + which + "_link_width", "16");
    }
    link(PCI + "driver", "../../../bus/pci/drivers/mlx5_core");
    put(CARD + "fw_ver", "16.35.2000");
    put(CARD + "board_id", "MT_0000000008");
    put(CARD + "ports/1/link_layer", "Ethernet");
    put(CARD + "ports/1/state", "4: ACTIVE");
    put(CARD + "ports/1/rate", "100 Gb/sec (4X EDR)");
    put(CARD + "ports/1/gid_attrs/ndevs/0", "ens1f0");
    gid(0, "fe80:0000:0000:0000:ee0d:9aff:fe7d:7d1b");
    gid(1, "fe80:0000:0000:0000:ee0d:9aff:fe7d:7d1b");
    gid(2, "0000:0000:0000:0000:0000:ffff:0a00:0001");
    gid(3, "0000:0000:0000:0000:0000:ffff:0a00:0001");
    gid(4, "0000:0000:0000:0000:0000:0000:0000:0000");
    link(CARD + "device", "../../../bus/pci/devices/0000:3b:00.0");
    put(VERBS + "ibdev", "mlx5_0");
    put(NODE, "");
  }

  private void put(String file, String text) throws IOException {
    Path path = root.resolve(file);
    Path unused = Files.createDirectories(path.getParent());
    unused = Files.writeString(path, text + "\n");
  }

  private void link(String file, String target) throws IOException {
    Path unused = Files.createSymbolicLink(root.resolve(file), Path.of(target));
  }

  private void gid(int index, String gid) throws IOException {
    put(CARD + "ports/1/gids/" + index, gid);
  }

  private void limit(String bytes) throws IOException {
    put(
        LIMITS,
        "Max locked memory         %s              %s              bytes".formatted(bytes, bytes));
  }

  private void remove(String file) throws IOException {
    Files.delete(root.resolve(file));
  }

  private List<Examination> examine() {
    return CardExaminations.all(new Machine(root), opened::add);
  }

  private Examination of(String subject) {
    return examine().stream()
        .filter(examination -> examination.subject().equals(subject))
        .findFirst()
        .orElseThrow();
  }

  private void expect(String subject, Verdict verdict, String found, String remedy) {
    Examination examination = of(subject);
    assertThat(examination.verdict()).as(examination.toString()).isEqualTo(verdict);
    assertThat(examination.found()).contains(found);
    assertThat(examination.remedy()).contains(remedy);
  }

  @Test
  void aMachineWhoseDevicesCannotBeReadMayHaveACard() {
    List<Examination> all =
        CardExaminations.all(new Machine(root.resolve("elsewhere")), opened::add);
    assertThat(all).extracting(Examination::verdict).containsExactly(Verdict.UNKNOWN);
    assertThat(all.getFirst().remedy()).isEqualTo("Mount /sys.");
    assertThat(opened).isEmpty();
  }

  @Test
  void noExaminationFailsOnAMachineWithoutACard() throws IOException {
    Path machine = root.resolve("elsewhere");
    Files.createDirectories(machine.resolve("sys/bus/pci/devices"));
    List<Examination> all = CardExaminations.all(new Machine(machine), opened::add);
    assertThat(all).hasSize(1);
    assertThat(all.getFirst().verdict()).isEqualTo(Verdict.GOOD);
    assertThat(all.getFirst().found()).contains("does not need one");
    assertThat(opened).isEmpty();
  }

  @Test
  void aCardThatHasEverythingIsOpened() {
    List<Examination> all = examine();
    assertThat(all)
        .filteredOn(examination -> examination.verdict() != Verdict.GOOD)
        .extracting(Examination::subject)
        .containsExactly("firmware settings");
    assertThat(all)
        .extracting(Examination::found)
        .contains(
            "Linux 6.1.0-18-amd64",
            "0000:3b:00.0 ConnectX-5 (0x1017), driver mlx5_core, NUMA node 1",
            "mlx5_core, mlx5_ib, ib_uverbs",
            "firmware 16.35.2000, board MT_0000000008",
            "Ethernet, 4: ACTIVE, 100 Gb/sec (4X EDR), network interface ens1f0",
            "512 reserved, transparent ones: madvise; not needed",
            "passes the card's addresses through");
    assertThat(opened).containsExactly("mlx5_0");
  }

  @Test
  void anOldKernelIsNotedBecauseItMayHaveTheCalls() throws IOException {
    put("proc/sys/kernel/osrelease", "4.18.0-372.el8.x86_64");
    expect("kernel", Verdict.NOTE, "4.18.0", "5.10");
    put("proc/sys/kernel/osrelease", "5.9.16");
    expect("kernel", Verdict.NOTE, "5.9.16", "5.10");
    put("proc/sys/kernel/osrelease", "5.10.0-8");
    expect("kernel", Verdict.GOOD, "5.10.0-8", "");
  }

  @Test
  void aCardWithoutADriverOrWithAnotherOneIsMissing() throws IOException {
    remove(PCI + "driver");
    expect("PCI card", Verdict.MISSING, "driver none", "modprobe mlx5_core");
    link(PCI + "driver", "../../../bus/pci/drivers/vfio-pci");
    expect("PCI card", Verdict.MISSING, "driver vfio-pci", "echo 0000:3b:00.0");
  }

  @Test
  void aCardOfAnotherDriverThatBluebellCanNotUseIsNotedWithoutAdvice() throws IOException {
    put(PCI + "device", "0x1003");
    remove(PCI + "driver");
    link(PCI + "driver", "../../../bus/pci/drivers/mlx4_core");
    Path unused = Files.move(root.resolve("sys/class/infiniband"), root.resolve("gone"));
    assertThat(examine())
        .containsExactly(
            new Examination(
                "PCI card",
                Verdict.NOTE,
                "0000:3b:00.0 ConnectX-3 (0x1003), which mlx4 drives and Bluebell does not",
                ""));
  }

  @Test
  void nothingIsMissingIfTheOnlyDeviceIsOfAnotherDriver() throws IOException {
    Path machine = root.resolve("elsewhere");
    Files.createDirectories(machine.resolve("sys/bus/pci/devices"));
    Files.createDirectories(machine.resolve("sys/class/infiniband/rxe0"));
    List<Examination> all = CardExaminations.all(new Machine(machine), opened::add);
    assertThat(all).extracting(Examination::subject).containsExactly("card", "rxe0");
    assertThat(all).extracting(Examination::verdict).containsExactly(Verdict.GOOD, Verdict.NOTE);
  }

  @Test
  void virtualFunctionsHaveNames() throws IOException {
    put(PCI + "device", "0x1016");
    expect("PCI card", Verdict.GOOD, "virtual function of a ConnectX-4 Lx (0x1016)", "");
  }

  @Test
  void aSlotWithFewLanesIsNoted() throws IOException {
    put(PCI + "current_link_width", "8");
    expect("PCI card", Verdict.NOTE, "x8 at 8.0 GT/s PCIe of x16 at 8.0 GT/s PCIe", "all lanes");
  }

  @Test
  void modulesThatAreNotLoadedAreNamed() throws IOException {
    remove("sys/module/mlx5_ib/refcnt");
    remove("sys/module/mlx5_ib");
    // If there is a device, the module must be built into the kernel.
    expect("modules", Verdict.GOOD, "mlx5_ib", "");
    Path unused = Files.move(root.resolve("sys/class/infiniband"), root.resolve("gone"));
    expect("modules", Verdict.MISSING, "not loaded: mlx5_ib", "modprobe mlx5_ib");
  }

  @Test
  void aDriverWithoutDevicesIsMissing() throws IOException {
    Path card = root.resolve("sys/class/infiniband");
    Path unused = Files.move(card, root.resolve("gone"));
    expect("RDMA devices", Verdict.MISSING, "no device in", "modprobe mlx5_core mlx5_ib");
  }

  @Test
  void aPortThatIsDownIsMissing() throws IOException {
    put(CARD + "ports/1/state", "1: DOWN");
    expect("mlx5_0 port 1", Verdict.MISSING, "1: DOWN", "ip link set ens1f0 up");
    put(CARD + "ports/1/link_layer", "InfiniBand");
    put(CARD + "ports/1/state", "2: INIT");
    expect("mlx5_0 port 1", Verdict.MISSING, "2: INIT", "subnet manager");
  }

  @Test
  void aPortThatIsDownIsNotedIfAnotherIsActive() throws IOException {
    put(CARD + "ports/2/link_layer", "Ethernet");
    put(CARD + "ports/2/state", "1: DOWN");
    expect("mlx5_0 port 2", Verdict.NOTE, "1: DOWN", "ip link set NAME up");
    put(CARD + "ports/1/state", "1: DOWN");
    expect("mlx5_0 port 2", Verdict.MISSING, "1: DOWN", "ip link set NAME up");
  }

  @Test
  void anEthernetPortWithoutAnIpAddressIsNoted() throws IOException {
    remove(CARD + "ports/1/gids/2");
    remove(CARD + "ports/1/gids/3");
    expect("mlx5_0 port 1", Verdict.NOTE, "no IP address", "ip addr add ADDRESS/24 dev ens1f0");
  }

  @Test
  void theGidsThatRocePeersNeedAreListed() throws IOException {
    put(CARD + "ports/1/gid_attrs/types/2", "IB/RoCE v1");
    put(CARD + "ports/1/gid_attrs/types/3", "RoCE v2");
    expect("mlx5_0 port 1", Verdict.GOOD, "ens1f0, RoCE v2 GIDs 3 (::ffff:10.0.0.1)", "");
  }

  /** A GPU, and the card below a bridge with such a control register of ACS. */
  private void gpuAndBridge(int acsControl) throws IOException {
    put("sys/bus/pci/devices/0000:af:00.0/vendor", "0x10de");
    put("sys/bus/pci/devices/0000:af:00.0/class", "0x030200");
    Path card = root.resolve(BRIDGE + "0000:3b:00.0");
    if (!Files.exists(card)) {
      Path unused = Files.createDirectories(card.getParent());
      unused = Files.move(root.resolve(PCI), card);
      link(PCI.substring(0, PCI.length() - 1), card.toString());
      link("sys/bus/pci/devices/0000:3a:00.0", root.resolve(BRIDGE).toString());
    }
    byte[] config = new byte[4096];
    ByteBuffer space = ByteBuffer.wrap(config).order(ByteOrder.LITTLE_ENDIAN);
    space.putInt(0x100, 0x148 << 20 | 1 << 16 | 0x01);
    space.putInt(0x148, 1 << 16 | 0x0d);
    space.putShort(0x148 + 6, (short) acsControl);
    Path unused = Files.write(root.resolve(BRIDGE + "config"), config);
  }

  @Test
  void requestsThatPcieRedirectAreNotedIfThereIsAGpu() throws IOException {
    assertThat(examine()).extracting(Examination::subject).doesNotContain("PCIe ACS", "GPU memory");
    gpuAndBridge(0x1d);
    expect("PCIe ACS", Verdict.NOTE, "redirects requests at 0000:3a:00.0", "disable ACS");
    gpuAndBridge(0x01);
    expect("PCIe ACS", Verdict.GOOD, "redirects no requests", "");
    Path unused = Files.write(root.resolve(BRIDGE + "config"), new byte[64]);
    expect("PCIe ACS", Verdict.UNKNOWN, "only root", "as root");
  }

  @Test
  void aConventionalBridgeRedirectsNothing() throws IOException {
    gpuAndBridge(0);
    Path unused = Files.write(root.resolve(BRIDGE + "config"), new byte[256]);
    expect("PCIe ACS", Verdict.GOOD, "redirects no requests", "");
  }

  @Test
  void acceleratorsOfAmdNeedNoModule() throws IOException {
    gpuAndBridge(0x1d);
    put("sys/bus/pci/devices/0000:af:00.0/vendor", "0x1002");
    put("sys/bus/pci/devices/0000:af:00.0/class", "0x120000");
    expect("PCIe ACS", Verdict.NOTE, "redirects requests", "disable ACS");
    assertThat(examine()).extracting(Examination::subject).doesNotContain("GPU memory");
  }

  @Test
  void aGpuIsNotExaminedWithoutACard() throws IOException {
    put("sys/bus/pci/devices/0000:af:00.0/vendor", "0x10de");
    put("sys/bus/pci/devices/0000:af:00.0/class", "0x030200");
    assertThat(new GpuAccess(new Machine(root)).all(List.of())).isEmpty();
  }

  @Test
  void capabilitiesThatFormARingEnd() throws IOException {
    gpuAndBridge(0);
    byte[] config = new byte[4096];
    ByteBuffer.wrap(config).order(ByteOrder.LITTLE_ENDIAN).putInt(0x100, 0x100 << 20 | 1);
    Path unused = Files.write(root.resolve(BRIDGE + "config"), config);
    expect("PCIe ACS", Verdict.GOOD, "redirects no requests", "");
  }

  @Test
  void aMissingModuleForGpuMemoryIsNoted() throws IOException {
    gpuAndBridge(0);
    expect("GPU memory", Verdict.NOTE, "not loaded", "modprobe nvidia-peermem");
    put("sys/module/nvidia_peermem/refcnt", "0");
    expect("GPU memory", Verdict.GOOD, "is loaded", "");
  }

  @Test
  void aDeviceFileThatIsNotInTheContainerIsMissing() throws IOException {
    remove(NODE);
    expect("mlx5_0 file", Verdict.MISSING, "uverbs0 does not exist", "--device=/dev/infiniband");
    assertThat(opened).isEmpty();
  }

  @Test
  void aCardThatCannotBeOpenedIsReportedWithTheReason() {
    List<Examination> all =
        CardExaminations.all(
            new Machine(root),
            name -> {
              throw new HcaException(
                  "device %s: the kernel provides no DevX context".formatted(name), new byte[16]);
            });
    assertThat(all)
        .filteredOn(examination -> examination.subject().equals("mlx5_0 DevX"))
        .allSatisfy(
            examination -> {
              assertThat(examination.verdict()).isEqualTo(Verdict.MISSING);
              assertThat(examination.found()).contains("provides no DevX context");
            });
  }

  @Test
  void aSmallMemlockLimitIsReportedUnlessTheProcessHasTheRightToPassIt() throws IOException {
    limit("8388608");
    expect("locked memory", Verdict.MISSING, "8,192 KiB", "memlock");
    put(STATUS, "CapEff:\t0000000000004000");
    expect("locked memory", Verdict.GOOD, "CAP_IPC_LOCK lifts it", "");
    expect("rights", Verdict.GOOD, "CAP_NET_RAW no, CAP_IPC_LOCK yes", "");
    put("proc/self/uid_map", "         0          0 4294967295");
    expect("locked memory", Verdict.GOOD, "CAP_IPC_LOCK lifts it", "");
    put("proc/self/uid_map", "         0       1000          1");
    expect("locked memory", Verdict.MISSING, "8,192 KiB", "memlock");
    remove(LIMITS);
    expect("locked memory", Verdict.UNKNOWN, "can't be read", "ulimit -l");
  }

  @Test
  void anIommuThatTranslatesIsNoted() throws IOException {
    put(PCI + "iommu_group/type", "DMA-FQ");
    expect("IOMMU", Verdict.NOTE, "DMA-FQ", "iommu=pt");
  }

  @Test
  void aDeviceOfAnotherDriverIsLeftAlone() throws IOException {
    put("sys/class/infiniband/rxe0/fw_ver", "");
    expect("rxe0", Verdict.NOTE, "driver unknown", "mlx5_core only");
    assertThat(opened).containsExactly("mlx5_0");
  }

  @Test
  void settingsInTheFlashCannotBeKnown() {
    expect("firmware settings", Verdict.UNKNOWN, "UCTX_EN", "mstconfig -d 0000:3b:00.0 query");
  }
}
