package dev.bluebell.uverbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Applications find the device and what describes it by whatever function they look for its files
 * with.
 */
class ApplicationPathsTest extends Hosted {
  private static final String PORT = "/sys/class/infiniband/mlx5_0/ports/1";

  private String outputOf(String... command) throws IOException, InterruptedException {
    Application application = Application.start(host, folder, List.of(command));
    application.expectSuccess();
    return application.output();
  }

  private long counter(String name) throws IOException, InterruptedException {
    return Long.parseLong(outputOf("cat", PORT + "/" + name).strip());
  }

  /** Debian 11, Ubuntu 20.04, RHEL 8: all before glibc 2.33. */
  @Test
  void anApplicationThatWasBuiltWithAnOldLibrarySeesTheDevice()
      throws IOException, InterruptedException {
    outputOf(Application.compile("old_names.c", "-pthread", "-ldl"));
    host.expectNothingLeft();
  }

  @Test
  @Tag("slow")
  void everyFunctionThatTakesAPathFindsTheSameTree() throws IOException, InterruptedException {
    String found = outputOf(Application.compile("tree.c", "-pthread", "-ldl"));
    assertThat(found)
        .containsPattern(
            "mlx5_0 at /sys/devices/pci0000:\\p{XDigit}{2}/0000:(\\p{XDigit}|[:./])+\\.0\n")
        .containsPattern("\\d+ folders, \\d+ files, \\d+ links, 50 counters");
  }

  @Test
  void oddPathsGetTheSameAnswersAsFromTheKernel() throws IOException, InterruptedException {
    outputOf(Application.compile("odd_paths.c", "-pthread", "-ldl"));
    host.expectNothingLeft();
  }

  @Test
  void aShellSeesTheTree() throws IOException, InterruptedException {
    Application.require("sh", "dash");
    String script =
        "cd /sys/class/infiniband/mlx5_0/device && pwd -P && cat vendor max_link_width numa_node"
            + " && ls net && ls -l /dev/infiniband";
    assertThat(outputOf("sh", "-c", script))
        .contains("/sys/devices/pci0000:", "0x15b3\n16\n-1\nlo\n", "crw-rw-rw-")
        .doesNotContain(host.tree().toString(), "No such file");
  }

  @Test
  void countersCountWhatApplicationsSend() throws IOException, InterruptedException {
    Application.require("ibv_rc_pingpong", "ibverbs-utils");
    assertThat(counter("counters/port_xmit_packets")).isZero();
    List<Application> pair =
        Application.startPair(host, folder, "ibv_rc_pingpong -g 0 -n 100 -s 4096");
    for (Application application : pair) {
      application.expectSuccess();
    }
    assertThat(counter("counters/port_xmit_data")).isGreaterThan(2 * 100 * 4096 / 4);
    long received = counter("counters/port_rcv_packets");
    assertThat(received).isGreaterThanOrEqualTo(200);
    for (String way :
        List.of("counters//", "/counters/", "counters/./", "hw_counters/../counters/")) {
      assertThat(counter(way + "port_rcv_packets")).as(way).isEqualTo(received);
    }
    assertThat(counter("hw_counters/rx_write_requests")).isZero();
    assertThat(counter("hw_counters/local_ack_timeout_err")).isZero();
    host.expectNothingLeft();
  }

  @Test
  void theStateOfAPortIsThatOfNow() throws IOException, InterruptedException {
    Application.require("ibv_rc_pingpong", "ibverbs-utils");
    Path own = Files.createDirectory(folder.resolve("own"));
    try (Host special = new Host(own, "link=infiniband,fail=port-down@1")) {
      List<String> look = List.of("cat", PORT + "/state", PORT + "/phys_state");
      Application before = Application.start(special, folder, look);
      before.expectSuccess();
      assertThat(before.output()).isEqualTo("4: ACTIVE\n5: LinkUp\n");
      List<Application> pair = Application.startPair(special, folder, "ibv_rc_pingpong -n 1");
      assertThat(pair.getLast().awaitEnd()).isPositive();
      pair.getFirst().kill();
      Application after = Application.start(special, folder, look);
      after.expectSuccess();
      assertThat(after.output()).isEqualTo("1: DOWN\n2: Polling\n");
    }
  }

  /** libudev accepts only files of sysfs. */
  @Test
  void udevFindsTheDevice() throws IOException, InterruptedException {
    Application.require("udevadm", "udev");
    assertThat(outputOf("udevadm", "info", "/sys/class/infiniband/mlx5_0"))
        .containsPattern("P: /devices/pci.*/infiniband/mlx5_0");
    assertThat(outputOf("stat", "-f", "-c", "%T", "/sys/class/infiniband/mlx5_0/ports", PORT))
        .isEqualTo("sysfs\nsysfs\n");
    assertThat(outputOf("stat", "-f", "-c", "%T", "/dev/infiniband")).isNotEqualTo("sysfs\n");
  }

  @Test
  void toolsForInfinibandPrintThePort() throws IOException, InterruptedException {
    Application.require("ibstat", "infiniband-diags");
    assertThat(outputOf("ibstat"))
        .contains("CA 'mlx5_0'", "State: Active", "Physical state: LinkUp", "Link layer: Ethernet");
    assertThat(outputOf("ibstatus")).contains("link_layer:\t Ethernet");
  }

  /** Raw clients take the destination MAC of a path from there. */
  @Test
  void theNetworkDeviceHasTheAddressOfThePort() throws IOException, InterruptedException {
    outputOf(Application.compile("link_address.c"));
    outputOf(Application.compile("link_address.c", "-O2", "-D_FORTIFY_SOURCE=2"));
  }

  /** What a card's kernel answers by netlink. */
  @Test
  void iproute2SeesTheDeviceItsPortAndItsObjects() throws IOException, InterruptedException {
    Application.require("rdma", "iproute2");
    assertThat(outputOf("rdma", "dev"))
        .containsPattern("0: mlx5_0: node_type ca .*fw 28\\.0\\.0000 node_guid 0[0-9a-f:]+");
    assertThat(outputOf("rdma", "link"))
        .contains("link mlx5_0/1 state ACTIVE physical_state LINK_UP netdev lo");
    assertThat(outputOf("rdma", "res")).contains("0: mlx5_0: pd 0 cq 0 qp 0 cm_id 0 mr 0 ctx 0");
    assertThat(outputOf("rdma", "link", "show", "mlx5_0/1")).contains("mlx5_0/1");
    host.expectNothingLeft();
  }

  @Test
  void everyProgramIsAnsweredByNetlink() throws IOException, InterruptedException {
    outputOf(Application.compile("netlink.c"));
    host.expectNothingLeft();
  }

  @Test
  void netlinkListsMoreDevicesThanOneMessageHasRoomFor() throws IOException, InterruptedException {
    int devices = 64;
    Path tree = folder.resolve("many");
    for (int device = 0; device < devices; device++) {
      Path named = tree.resolve("class/infiniband_verbs/uverbs" + device);
      Files.writeString(Files.createDirectories(named).resolve("ibdev"), "mlx5_" + device + "\n");
    }
    outputOf(
        "env",
        "SYSFS_PATH=" + tree,
        "BLUEBELL_SOCKET="
            + String.join(":", Collections.nCopies(devices, host.socket().toString())),
        Application.compile("netlink.c"),
        Integer.toString(devices));
    host.expectNothingLeft();
  }

  @Test
  void unsupportedNetlinkRequestsAreRefused() throws IOException, InterruptedException {
    Application.require("rdma", "iproute2");
    Application application = Application.start(host, folder, List.of("rdma", "res", "show", "qp"));
    int code = application.awaitEnd();
    assertThat(code).isNotZero();
    assertThat(application.output()).contains("not supported");
  }
}
