package dev.bluebell.cli.paste;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.cli.paste.Notice.Form;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Lines without a status or bytes are recognized in the formats of the programs that print them.
 */
class NoticeTest {
  private static final Path ROOT = Path.of("..");

  private static void assertMeans(String line, String meaning, String page) {
    Optional<Notice> notice = Notice.in(7, line);
    assertThat(notice).as(line).isPresent();
    assertThat(notice.get().line()).isEqualTo(7);
    assertThat(notice.get().what()).as(line).contains(meaning).doesNotContain("%");
    assertThat(notice.get().page()).as(line).contains(page);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          n3:71:80 [2] NCCL WARN NET/IB : Got async event : port error | IBV_EVENT_PORT_ERR: | peers
          NCCL WARN NET/IB : mlx5_4:1 async fatal event on QP (0x7f10): local access violation work queue error | IBV_EVENT_QP_ACCESS_ERR: Usually this end is the responder | wrong-rkey
          mlx5_2:1 Got async event : invalid request local work queue error | IBV_EVENT_QP_REQ_ERR: | queue-pair-right
          NET/IB : Got async event : local catastrophic error | IBV_EVENT_DEVICE_FATAL: | does-not-answer
          rdma.c:99:process_ib_event: *NOTICE*: Async event: port error | IBV_EVENT_PORT_ERR: | peers
          ib_device.c:7 UCX ERROR IB Async event on mlx5_1: CQ error on CQ 0x55aa | IBV_EVENT_CQ_ERR: | cq-overrun
          ib_device.c:7 UCX WARN IB Async event on mlx5_1: SRQ-attached QP 0x4c1 was flushed | IBV_EVENT_QP_LAST_WQE_REACHED: | flushed
          ib_device.c:7 UCX ERROR IB Async event on mlx5_1: DCT access error on DCTN 0x7c1 | DCT access error: | wrong-rkey
          storage: RDMA async event IBV_EVENT_QP_ACCESS_ERR on mlx5_0 qp 0x7ffe10 | IBV_EVENT_QP_ACCESS_ERR: | wrong-rkey
          got IB_EVENT_GID_CHANGE | IBV_EVENT_GID_CHANGE: | peers
          node4:UCM:1f:c3: 77 us(1 us): dapl async_event QP (0x91aa) Event 3 | IBV_EVENT_QP_ACCESS_ERR: | wrong-rkey
          [9.1] nvmet_rdma: received IB QP event: last WQE reached (16) | IBV_EVENT_QP_LAST_WQE_REACHED: | flushed
          [9.1] iser: qp event QP request error (2) | IBV_EVENT_QP_REQ_ERR: | queue-pair-right
          """)
  void asynchronousEventsAreExplained(String line, String meaning, String page) {
    assertMeans(line, meaning, page);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          [5.0] mlx5_core 0000:3b:00.0: mlx5_eq_int:556:(pid 0): CQ error on CQN 0x41c, syndrom 0x1 | overran | cq-overrun
          [5.0] mlx5_core 0000:3b:00.0: cq_err_event_notifier:517:(pid 0): CQ error on CQN 0x41c, syndrome 0x2 | could not write | cannot-reach
          [5.0] mlx5_core 0000:3b:00.0: wait_func_handle_exec_timeout:1104:(pid 9): cmd[7]: CREATE_QP(0x500) No done completion | the command CREATE_QP in time. Its place in the command queue stays taken until the firmware answers | does-not-answer
          [5.0] mlx5_core 0000:3b:00.0: wait_func:1132:(pid 9): 2RST_QP(0x50a) timeout. Will cause a leak of a command resource | the command 2RST_QP | does-not-answer
          [5.0] mlx5_core 0000:3b:00.0: cb_timeout_handler:8:(pid 9): cmd[3]: CREATE_MKEY(0x200) Async, timeout. Will cause a leak of a command resource | CREATE_MKEY | does-not-answer
          [5.0] mlx5_core 0000:3b:00.0: wait_func:9:(pid 9): ACCESS_REG(0x805) canceled on out of queue timeout. | ACCESS_REG never reached | does-not-answer
          [5.0] mlx5_core 0000:3b:00.0: mlx5_cmd_comp_handler:17:(pid 0): Command completion arrived after timeout (entry idx = 4). | had given up | does-not-answer
          [5.0] mlx5_core 0000:3b:00.0: poll_health:8:(pid 0): device's health compromised - reached miss count | stands still | does-not-answer
          [5.0] mlx5_core 0000:3b:00.0: print_health_info:4:(pid 0): Health issue observed, firmware internal error, severity(3) ERROR: | firmware internal error (severity ERROR) | does-not-answer
          [5.0] mlx5_core 0000:3b:00.0: print_health_info:4:(pid 0): synd 0x10: High temperature | temperature | does-not-answer
          [5.0] mlx5_core 0000:3b:00.0: print_health_info:4:(pid 0): synd 0xa: ICM fetch PCI error | over PCIe | does-not-answer
          synd 0x8: unrecoverable hardware error | syndrome 0x8, unrecoverable hardware error | does-not-answer
          [5.0] mlx5_core 0000:3b:00.0: print_health_info:4:(pid 0): synd 0xff: unrecognized error | read as ones | does-not-answer
          [5.0] mlx5_core 0000:3b:00.0: print_health_info:4:(pid 0): assert_callra 0xffffffff | read as ones | does-not-answer
          [5.0] mlx5_core 0000:3b:00.0: print_health_info:4:(pid 0): PCI slot is unavailable | read as ones | does-not-answer
          Syndrome: 8 Description: unrecoverable hardware error | syndrome 8, unrecoverable hardware error | does-not-answer
          [5.0] mlx5_core 0000:3b:00.0: poll_health:8:(pid 0): Fatal error 5 detected | asks for a reset | does-not-answer
          [5.0] mlx5_core 0000:3b:00.0: poll_health:8:(pid 0): Fatal error 1 detected | sensor 1 | does-not-answer
          pcieport 0000:3a:00.0: DPC: containment event, status:0x1f01 source:0x0000 | could not correct | does-not-answer
          pcieport 0000:3a:00.0: AER: Uncorrected (Fatal) error received: 0000:3b:00.0 | could not correct | does-not-answer
          pcieport 0000:3a:00.0: AER: Multiple Uncorrectable (Non-Fatal) error message received from 0000:3b:00.0 | The link still works | does-not-answer
          [5.0] mlx5_core 0000:3b:00.0: AMD-Vi: Event logged [IO_PAGE_FAULT domain=0x0011 address=0x1000] | IOMMU refused | cannot-reach
          """)
  void messagesOfLinuxAboutTheCardAreExplained(String line, String meaning, String page) {
    assertMeans(line, meaning, page);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ib_mlx5_dv.c:4 UCX ERROR mlx5dv_devx_obj_create(QP) failed on mlx5_3, syndrome 0x1c2f11: Remote I/O error | (QP), syndrome 0x1c2f11 | devx
          ibgda.cpp:13: non-zero status: 121 Error in mlx5dv_devx_obj_modify for RTR2RTS_QP with syndrome 41f | (RTR2RTS_QP), syndrome 0x41f | devx
          dc_mlx5_devx.c:7 UCX ERROR mlx5dv_devx_obj_create(DCT) failed, syndrome 0: Connection timed out | no answer | does-not-answer
          ibvwrap.c:2 NCCL WARN Call to ibv_modify_qp failed with error Connection timed out | nothing at the peer's GID answers | rtr
          NCCL WARN Call to ibv_modify_qp failed with 110 Connection timed out, on dev mlx5_7:1, curr state INIT, next state RTR | nothing at the peer's GID answers | rtr
          Call to ibv_modify_qp failed with error No such device | no network interface | rtr
          misc/ibvwrap.cc:1 NCCL WARN Call to ibv_modify_qp failed with error Network is unreachable | No route | rtr
          terminate: ibv_modify_qp failed (errno 19) | no network interface | rtr
          ib_md.c:3 UCX ERROR ibv_reg_mr(address=0x7f000, length=8192, access=0xf) failed: Bad address | GPU | ibv_reg_mr
          [ERROR] - ibv_reg_mr failed, Bad address. addr:0x7f000, length:9000, access:0x7 | GPU | ibv_reg_mr
          ibv_reg_mr failed: -14 | GPU | ibv_reg_mr
          ibv_reg_mr failed for 14 bytes | failed: ibv_reg_mr. | library-refusals.md
          ibv_reg_mr failed (length 12, ret=12) | locked memory | ibv_reg_mr
          ibv_create_qp failed with 12 entries, error (22) | larger than the device's limits | einval
          ibv_modify_qp failed, remote GID ::ffff:10.0.110.5 | failed: ibv_modify_qp. | library-refusals.md
          ibv_modify_qp failed with 110 | nothing at the peer's GID answers | rtr
          Call to ibv_reg_mr_iova2 failed with error Cannot allocate memory | locked memory | ibv_reg_mr
          Couldn't allocate MR | RDMA stack | ibv_reg_mr
          [7.7] ib_umem_get: failed to get user pages, nr_pages=128 | pin | ibv_reg_mr
          ibv_create_qp() failed: Cannot allocate memory | ibv_create_qp failed: usually the limit | enomem
          [ERROR] (x.c:1:f: errno: Cannot allocate memory) Failed to create qp | limit of locked memory | enomem
          ibv_create_ah failed: Invalid argument | GRH | ibv_create_ah
          NCCL WARN Call to ibv_create_qp failed | failed: ibv_create_qp. | library-refusals.md
          dc_mlx5.c:5 UCX ERROR mlx5dv_create_qp(DCT) failed: Invalid argument | failed: mlx5dv_create_qp. | library-refusals.md
          rdma_bind_addr failed: Cannot assign requested address | library failed: rdma_bind_addr | connection-manager
          rdma_get_cm_event: RDMA_CM_EVENT_REJECTED, status 8 | refused the connection | connection-manager
          local QP operation err (QPN 4a0406, WQE @ 00000811, CQN 9b0084, index 7) | ConnectX-3 | local_qp_op_err
          [qelr_poll_cq_req:44]Error: POLL CQ with status 3. QP icid=0x2 | the driver qelr | failures
          libfabric:7:1708::efa:cq:efa_rdm_txe_handle_error():737<warn> err: 5 | the driver efa | failures
          cma event RDMA_CM_EVENT_UNREACHABLE, error -110 | did not answer | connection-manager
          """)
  void callsThatFailedAreExplained(String line, String meaning, String page) {

    assertMeans(line, meaning, page);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nvme_qpair.c: *ERROR*: CQ error, abort requests",
        "port error",
        "ibv_post_send failed on QP 12",
        "mlx5_core 0000:3b:00.0: print_health_info:4:(pid 0): assert_var[3] 0xffffffff",
        "ibv_modify_qp: state RTR",
        "waiting for async events",
        "mlx5_core 0000:3b:00.0: Health buffer is empty",
        "the timeout is 12, the limit is 110"
      })
  void otherLinesAreNoNotices(String line) {
    assertThat(Notice.in(1, line)).isEmpty();
  }

  @Test
  void everyEventOfVerbsIsKnown() {
    List<String> names =
        List.of(
            "CQ_ERR",
            "QP_FATAL",
            "QP_REQ_ERR",
            "QP_ACCESS_ERR",
            "COMM_EST",
            "SQ_DRAINED",
            "PATH_MIG",
            "PATH_MIG_ERR",
            "DEVICE_FATAL",
            "PORT_ACTIVE",
            "PORT_ERR",
            "LID_CHANGE",
            "PKEY_CHANGE",
            "SM_CHANGE",
            "SRQ_ERR",
            "SRQ_LIMIT_REACHED",
            "QP_LAST_WQE_REACHED",
            "CLIENT_REREGISTER",
            "GID_CHANGE",
            "WQ_FATAL");
    for (int number = 0; number < names.size(); number++) {
      String name = "IBV_EVENT_" + names.get(number);
      assertMeans("event " + name + " came", name + ": ", "docs/");
      assertMeans("dapl async_event QP (0x1) Event " + number, name + ": ", "docs/");
    }
    assertThat(Notice.in(1, "dapl async_event QP (0x1) Event 20")).isEmpty();
  }

  @Test
  void everyPageOfANoticeExists() throws IOException {
    Stream<String> events =
        IntStream.range(0, 20)
            .mapToObj(number -> Notice.in(1, "async_event QP (0x1) Event " + number))
            .map(notice -> notice.orElseThrow().page());
    Stream<String> forms =
        Stream.of(CardNotices.TABLE, CallNotices.TABLE)
            .flatMap(table -> table.forms().stream())
            .map(Form::page);
    for (String page : Stream.concat(events, forms).distinct().toList()) {
      String[] parts = page.split("#", 2);
      Path file = ROOT.resolve(parts[0]);
      assertThat(file).isRegularFile();
      if (parts.length > 1) {
        List<String> anchors =
            Files.readAllLines(file).stream()
                .filter(line -> line.startsWith("#"))
                .map(line -> line.replaceFirst("#+ ", "").toLowerCase(Locale.ROOT))
                .map(line -> line.replaceAll("[^a-z0-9_ -]", "").replace(' ', '-'))
                .toList();
        assertThat(anchors).as(page).contains(parts[1]);
      }
    }
  }
}
