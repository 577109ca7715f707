package dev.bluebell.cli.paste;

import dev.bluebell.cli.paste.Notice.Form;
import dev.bluebell.cli.paste.Notice.Table;
import java.util.List;

/** Lines of applications about calls of libibverbs, libmlx5 and librdmacm that failed. */
final class CallNotices {
  private static final String REFUSALS = "docs/compatibility/library-refusals.md";
  private static final String RTR = REFUSALS + "#ibv_modify_qp-fails-on-the-way-to-rtr";
  private static final String REGISTER = REFUSALS + "#ibv_reg_mr-fails";
  private static final String QUEUES = REFUSALS + "#queues-cannot-be-created-enomem";
  private static final String DEVX = REFUSALS + "#commands-that-an-application-sends-with-devx";
  private static final String MANAGER = REFUSALS + "#connections-of-the-rdma-connection-manager";
  private static final String APPLICATION = "an application";
  private static final String KERNEL_LOG =
      "Look for a refused command in dmesg (mlx5_cmd), and give it to decode.";

  private static final String TIMED_OUT =
      "Connection timed out|ETIMEDOUT|No route to host|" + number(110);
  private static final String NO_MEMORY = "Cannot allocate memory|ENOMEM|" + number(12);
  private static final String INVALID = "Invalid argument|EINVAL|" + number(22);

  /** An error by number: other numbers of a line are lengths, queues or addresses. */
  private static String number(int error) {
    return ("(?<=\\b(?i:errno|error|err|ret|rc|status|code|returned)\\b[ =:(]{1,3}-?)%1$d\\b"
            + "|(?<=failed: -?)%1$d\\b|(?<=failed with -?)%1$d\\b(?! [a-z])|\\(-?%1$d\\)")
        .formatted(error);
  }

  /** A call, as words or with its arguments, and an error behind it. */
  private static String failure(String calls, String errors) {
    return "\\b(" + calls + ")\\b.{0,200}?(?:[Ff]ail|[Ee]rror|errno).{0,80}?(?:" + errors + ")";
  }

  static final Table TABLE =
      new Table(
          List.of(
              "ibv_",
              "mlx5dv_",
              "rdma_",
              "RDMA_CM_",
              " MR",
              "umem",
              "Cannot allocate",
              "QPN",
              "qelr_",
              "efa_rdm_"),
          List.of(
              new Form(
                  "libmlx4",
                  "\\blocal QP operation err \\(QPN [0-9a-f]{1,6}, WQE",
                  "A ConnectX-3 or an older card reports LOC_QP_OP_ERR. decode does not read the"
                      + " dump below it, and does not know the vendor codes of such cards.",
                  "Compare the request with the limits and the state of its queue pair.",
                  "docs/failures/README.md#local_qp_op_err"),
              new Form(
                  "the driver of another card",
                  "\\b(qelr|efa)_(?:poll_cq|rdm)_\\w{1,60}.{0,40}?(?:Error|warn)",
                  "A line of the driver %1$s, which is not NVIDIA's: decode does not know its"
                      + " codes.",
                  "Look for the status of libibverbs in the lines around it.",
                  "docs/failures/README.md"),
              new Form(
                  APPLICATION,
                  "\\bmlx5dv_devx_\\w{1,30}\\b.{0,100}?\\bsyndrome (?:0x)?0\\b",
                  "A command that the application sent with DevX got no answer from the firmware.",
                  "Look for commands that timed out in dmesg.",
                  CardNotices.CARD),
              new Form(
                  APPLICATION,
                  "\\bmlx5dv_devx_\\w{1,30}(?:\\(([^()]{1,60})\\)| for"
                      + " (\\w{1,60})).{0,100}?\\bsyndrome (?:0x)?([0-9a-f]{1,8})\\b",
                  "The firmware refused a command that the application sent with DevX (%1$s%2$s),"
                      + " syndrome 0x%3$s. "
                      + CommandRefusal.SYNDROME,
                  CommandRefusal.SEARCH,
                  DEVX),
              new Form(
                  APPLICATION,
                  failure("ibv_modify_qp\\w*", TIMED_OUT),
                  "The address of the peer could not be resolved: nothing at the peer's GID"
                      + " answers.",
                  "Check with ping from the interface of the local GID, and whether the two ports"
                      + " are on one network (rails).",
                  RTR),
              new Form(
                  APPLICATION,
                  failure("ibv_modify_qp\\w*", "Network is unreachable|ENETUNREACH|" + number(101)),
                  "No route leads from the interface of the local GID to the peer's GID.",
                  "Compare the kinds and addresses of both GIDs (show_gids), and the GID indices.",
                  RTR),
              new Form(
                  APPLICATION,
                  failure("ibv_modify_qp\\w*", "No such device|ENODEV|" + number(19)),
                  "The kernel finds no network interface for the local GID.",
                  "Check whether the interface is up, and in this network namespace.",
                  RTR),
              new Form(
                  APPLICATION,
                  failure(
                      "ibv(?:_exp)?_reg_mr\\w*|ibv_reg_dmabuf_mr",
                      "Bad address|EFAULT|" + number(14)),
                  "The kernel could not pin the memory: it is not mapped, or it is memory of a GPU"
                      + " that the RDMA stack cannot reach.",
                  "With GPU memory, check that nvidia-peermem is loaded, or register a DMA-BUF.",
                  REGISTER),
              new Form(
                  APPLICATION,
                  failure("ibv(?:_exp)?_reg_mr\\w*|ibv_reg_dmabuf_mr", NO_MEMORY),
                  "The kernel could not pin the memory: usually the limit of locked memory.",
                  "Check ulimit -l in the environment of the process.",
                  REGISTER),
              new Form(
                  "perftest",
                  "\\bCouldn't (?:allocate|register) (?:GPU )?MR\\b",
                  "ibv_reg_mr failed. If this is GPU memory (--use_cuda), the RDMA stack cannot"
                      + " reach it.",
                  "Check that nvidia-peermem is loaded, and ulimit -l.",
                  REGISTER),
              new Form(
                  APPLICATION,
                  "\\bumem get failed|\\bib_umem_get: failed to get user pages",
                  "The kernel could not pin the memory of a registration or a queue.",
                  "Check whether it is GPU memory (nvidia-peermem), and ulimit -l.",
                  REGISTER),
              new Form(
                  APPLICATION,
                  failure(
                      "ibv(?:_exp)?_create_(?:qp|cq|srq)\\w*|mlx5dv_create_\\w{2,10}", NO_MEMORY),
                  "%1$s failed: usually the limit of locked memory, or a limit of the device.",
                  "Check ulimit -l in the environment of the process, then the limits of"
                      + " ibv_query_device.",
                  QUEUES),
              new Form(
                  APPLICATION,
                  "(?i)\\berrno: Cannot allocate memory\\).{0,40}\\bcreate (?:qp|cq|srq)\\b",
                  "A queue could not be created: usually the limit of locked memory, or a limit of"
                      + " the device.",
                  "Check ulimit -l in the environment of the process, then the limits of"
                      + " ibv_query_device.",
                  QUEUES),
              new Form(
                  APPLICATION,
                  failure("ibv_create_qp\\w*", INVALID),
                  "%1$s failed: the queue is larger than the device's limits, or an attribute is"
                      + " wrong.",
                  "Ask for fewer requests, segments or inline bytes. " + KERNEL_LOG,
                  REFUSALS + "#ibv_create_qp-fails-with-einval"),
              new Form(
                  APPLICATION,
                  failure("ibv_create_cq\\w*", INVALID),
                  "%1$s failed: the number of entries is 0 or too large.",
                  KERNEL_LOG,
                  REFUSALS + "#ibv_create_cq-fails-with-einval"),
              new Form(
                  APPLICATION,
                  failure("ibv_create_ah\\w*", INVALID),
                  "%1$s failed: on Ethernet, an address handle needs a GRH.",
                  "Set is_global to 1 and fill in grh.",
                  REFUSALS + "#ibv_create_ah-fails-with-einval"),
              new Form(
                  APPLICATION,
                  failure("ibv_post_send|ibv_wr_complete", NO_MEMORY),
                  "%1$s failed: the send queue is full, the queue pair is not in RTS, or the"
                      + " request has too many segments or inline bytes.",
                  "Signal at least one of every max_send_wr requests, and poll its completion.",
                  REFUSALS + "#ibv_post_send-returns-enomem"),
              new Form(
                  APPLICATION,
                  "\\b(rdma_(?!cm)\\w{1,40})(?:\\([^()]{0,100}\\))? (?:call )?failed\\b",
                  "A call of the connection manager's library failed: %1$s.",
                  "Look at the error in the line, and at the addresses of both ends.",
                  MANAGER),
              new Form(
                  APPLICATION,
                  "\\bCall to (ibv_\\w{1,40})"
                      + " failed|\\b((?:ibv|mlx5dv)_(?!post|poll)\\w{1,40})(?:\\([^()]{0,100}\\))?"
                      + " (?:call )?failed\\b",
                  "A call of the RDMA libraries failed: %1$s%2$s.",
                  KERNEL_LOG,
                  REFUSALS),
              new Form(
                  APPLICATION,
                  "\\bRDMA_CM_EVENT_REJECTED\\b",
                  "The peer refused the connection: nothing listens at the port (status 8), or the"
                      + " application at the peer rejected it or exited (status 28).",
                  "Look at the log of the listening application.",
                  MANAGER),
              new Form(
                  APPLICATION,
                  "\\bRDMA_CM_EVENT_UNREACHABLE\\b",
                  "The connection manager of the peer did not answer.",
                  "Check the path between the two ports, and whether the peer runs.",
                  MANAGER),
              new Form(
                  APPLICATION,
                  "\\bRDMA_CM_EVENT_(ADDR|ROUTE)_ERROR\\b",
                  "The connection manager could not resolve the peer (%1$s).",
                  "Check that the local address belongs to an RDMA device and that the peer answers"
                      + " ping.",
                  MANAGER)));

  private CallNotices() {}
}
