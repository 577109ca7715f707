package dev.bluebell.cli.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bluebell.cli.Cli;
import dev.bluebell.hca.Gid;
import dev.bluebell.hca.Hca;
import dev.bluebell.server.DeviceServer;
import dev.bluebell.server.Quotas;
import dev.bluebell.server.remote.ObserverService;
import dev.bluebell.server.remote.Observers;
import dev.bluebell.server.remote.RemoteService;
import dev.bluebell.softnic.SoftNic;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.uverbs.DeviceTree;
import dev.bluebell.uverbs.Shim;
import dev.bluebell.uverbs.UverbsService;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** devinfo prints the same lines as ibv_devinfo, in the same layout. */
class DevinfoCommandTest {
  private static final Path IBV_DEVINFO = Path.of("/usr/bin/ibv_devinfo");

  @Test
  void labelsAndTabsAreThoseOfIbvDevinfo() {
    Cli cli = Cli.run("devinfo", "--device", "soft:identity=9");
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    assertThat(cli.out().lines())
        .contains(
            "hca_id:\tsoft",
            "\ttransport:\t\t\tInfiniBand (0)",
            "\tphys_port_cnt:\t\t\t1",
            "\tmax_qp_wr:\t\t\t32768",
            "\tcq_moderation:\t\t\tyes",
            "\tcqe_compression:\t\tbasic enhanced 128B",
            "\tcqe_comp_formats:\t\thash csum csum_stridx",
            "\tcqe_comp_max_num:\t\t64",
            "\t\tport:\t1",
            "\t\t\tstate:\t\t\tPORT_ACTIVE (4)",
            "\t\t\tmax_mtu:\t\t4096 (5)",
            "\t\t\tlink_layer:\t\tEthernet",
            "\t\t\tGID[  2]:\t\t0000:0000:0000:0000:0000:ffff:7f00:0009, RoCE v1",
            "\t\t\tGID[  3]:\t\t::ffff:127.0.0.9, RoCE v2");
  }

  @Test
  void anInfiniBandPortHasLidsAndAGidWithoutAType() {
    Cli cli = Cli.run("devinfo", "--device", "soft:link=infiniband,lmc=2,identity=9");
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    assertThat(cli.out().lines())
        .contains(
            "\t\t\tsm_lid:\t\t\t1",
            "\t\t\tport_lid:\t\t40",
            "\t\t\tport_lmc:\t\t0x02",
            "\t\t\tlink_layer:\t\tInfiniBand",
            "\t\t\tGID[  0]:\t\tfe80:0000:0000:0000:00be:11ff:fe00:0009")
        .noneMatch(line -> line.contains("GID[  1]"));
  }

  @Test
  void jsonHasTheSameValues() {
    Cli cli = Cli.run("devinfo", "--json", "--device", "soft:engine=poll");
    JsonNode device = cli.json().getFirst();
    assertThat(device.get("hca_id").asText()).isEqualTo("soft");
    assertThat(device.get("max_qp_wr").asText()).isEqualTo("32768");
    assertThat(device.at("/ports/0/active_mtu").asText()).isEqualTo("4096 (5)");
    assertThat(device.at("/ports/0/gids/0/gid").asText()).startsWith("fe80:");
  }

  @Test
  void theLinesAreThoseThatIbvDevinfoPrintsOfTheSameDevice(@TempDir Path folder)
      throws IOException, InterruptedException {
    assumeTrue(Shim.isBuilt(), "gcc was missing when this was built");
    assumeTrue(
        Files.isExecutable(IBV_DEVINFO),
        "ibv_devinfo is not installed (Debian and Ubuntu: apt install ibverbs-utils)");
    Path socket = folder.resolve("device.sock");
    Path output = folder.resolve("output.txt");
    String own;
    try (SoftNic nic = SoftNic.open(SoftNicOptions.DEFAULT);
        DeviceTree tree = DeviceTree.create(folder.resolve("device.sock.sysfs"), nic);
        DeviceServer server = new DeviceServer(socket, services(nic), Quotas.of(nic))) {
      Cli run =
          Cli.run(
              "run",
              "--socket",
              socket.toString(),
              "--",
              "sh",
              "-c",
              "exec %s -v >%s 2>&1".formatted(IBV_DEVINFO, output));
      assertThat(run.exitCode()).as(run.err()).isZero();
      assertThat(tree.path()).isDirectory();
      assertThat(server).isNotNull();
      own = Cli.run("devinfo", "--device", "socket:" + socket).out();
    }
    // ibv_devinfo has no names for two flags of this device.
    List<String> theirs = without(Files.readAllLines(output).stream(), "Unknown flags: 0x8400000");
    List<String> ours = without(own.lines(), "BLOCK_MULTICAST_LOOPBACK", "CROSS_CHANNEL");
    assertThat(theirs).hasSizeGreaterThan(100);
    assertThat(ours.getFirst()).startsWith("hca_id:\t");
    int extras = ours.size() - theirs.size();
    int vectors = ours.indexOf("\tnum_comp_vectors:\t\t4") + 1;
    List<String> shared = new ArrayList<>(ours.subList(0, vectors));
    shared.addAll(ours.subList(vectors + extras, ours.size()));
    assertThat(shared.subList(1, shared.size())).isEqualTo(theirs.subList(1, theirs.size()));
  }

  private static List<String> without(Stream<String> lines, String... flags) {
    return lines.filter(line -> !List.of(flags).contains(line.strip())).toList();
  }

  private static DeviceServer.Service services(Hca hca) {
    Observers observers = new Observers(hca);
    return new RemoteService(
        hca, new ObserverService(observers, new UverbsService(hca, observers)));
  }

  @Test
  void bitsWithoutANameAreANumber() {
    assertThat(FlagNames.DEVICE.of(0x1912_1c00L))
        .containsExactly(
            "PORT_ACTIVE_EVENT",
            "SYS_IMAGE_GUID",
            "RC_RNR_NAK_GEN",
            "MEM_WINDOW",
            "XRC",
            "MEM_WINDOW_TYPE_2B",
            "CROSS_CHANNEL",
            "Unknown flags: 0x10000000");
    assertThat(FlagNames.DEVICE.of(0)).isEmpty();
  }

  @Test
  void capabilitiesOfMlx5AreReported() {
    JsonNode device = Cli.run("devinfo", "--json").json().getFirst();
    assertThat(device.get("transports").asText()).isEqualTo("RC UC UD XRC DC");
    assertThat(device.get("atomics").asText()).startsWith("compare-and-swap fetch-and-add");
    assertThat(device.get("atomic_sizes").asText().split(" ")).contains("8");
    assertThat(device.get("max_srq_wr").asInt()).isPositive();
    assertThat(device.get("max_num_tags").asInt()).isPositive();
    assertThat(device.get("max_dci_streams").asInt()).isEqualTo(64);
    assertThat(device.get("max_mw").asInt()).isEqualTo(1 << 20);
    assertThat(device.get("mw_types").asText()).isEqualTo("1 2B");
    assertThat(device.get("max_indirection").asInt()).isEqualTo(4);
    assertThat(device.get("relaxed_ordering").asText()).isNotEmpty();
  }

  @Test
  void aProfileIsSeenInTheIdentityAndTheCapabilities() {
    Cli cli = Cli.run("devinfo", "--device", "soft:profile=connectx5");
    assertThat(cli.out().lines())
        .contains(
            "\tfw_ver:\t\t\t\t16.0.0000",
            "\tvendor_part_id:\t\t\t4119",
            "\tboard_id:\t\t\tBLUEBELL_CX5",
            "\tcqe_compression:\t\tbasic 128B",
            "\tmax_num_tags:\t\t\t0",
            "\tmax_dci_streams:\t\t0");
  }

  @Test
  void aDeviceIsComparedWithAProfile() {
    Cli cli = Cli.run("devinfo", "--diff", "connectx5", "--device", "soft:profile=connectx5");
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    assertThat(cli.out())
        .startsWith("soft:profile=connectx5 differs from the profile connectx5 in ")
        .containsPattern("cmd_hca_cap.log_max_cq +24 +16 +ompi-6137")
        .doesNotContain("tag_matching");
    JsonNode json = Cli.run("devinfo", "--json", "--diff", "connectx7").json().getFirst();
    assertThat(json.at("/profile").asText()).isEqualTo("connectx7");
    assertThat(json.at("/differences").findValuesAsText("capability"))
        .contains("cmd_hca_cap.tag_matching", "cmd_hca_cap.log_max_cq");
  }

  @Test
  void anUnknownProfileIsNamed() {
    Cli cli = Cli.run("devinfo", "--diff", "connectx3");
    assertThat(cli.exitCode()).isEqualTo(2);
    assertThat(cli.err())
        .contains("there is no profile 'connectx3': choose one of connectx5, connectx6dx");
  }

  @Test
  void anUnknownDeviceIsNamed() {
    Cli cli = Cli.run("devinfo", "--device", "nope");
    assertThat(cli.exitCode()).isEqualTo(2);
    assertThat(cli.err())
        .startsWith(
            "bluebell: there is no device 'nope': choose soft (options follow a colon, as in"
                + " soft:loss=5%); a device process is socket:PATH, and a card has a name such as"
                + " mlx5_0\n");
  }

  @Test
  void addressesAreWrittenAsInetNtopWritesThem() {
    assertThat(Ipv6Text.of(Gid.parse("fe80:0000:0000:0000:00be:11ff:fe00:0001")))
        .isEqualTo("fe80::be:11ff:fe00:1");
    assertThat(Ipv6Text.of(Gid.parse("2001:0db8:0000:0001:0000:0000:0000:0001")))
        .isEqualTo("2001:db8:0:1::1");
    assertThat(Ipv6Text.of(Gid.parse("0001:0002:0003:0004:0005:0006:0000:0008")))
        .isEqualTo("1:2:3:4:5:6:0:8");
    assertThat(Ipv6Text.of(Gid.parse("0000:0000:0000:0000:0000:0000:0000:0001"))).isEqualTo("::1");
    assertThat(Ipv6Text.of(Gid.ofIpv4(0x0a000001))).isEqualTo("::ffff:10.0.0.1");
  }
}
