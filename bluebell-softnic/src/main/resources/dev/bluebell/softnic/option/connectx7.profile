# A ConnectX-7. A line is structure.field, what the card says, the source, and the link layer if only one.
# No public ibv_devinfo -v of one was found, so most of it is that of the cards before it.
# Sources:
#   copyrpc     notes on a ConnectX-7 in namachan10777/copyrpc: device_cap_flags 0x21361c36, compression
#   cx6         ibv_devinfo -v of a ConnectX-6 on InfiniBand, firmware 20.37.1700, in public notes
#   cx6dx       the dump of a ConnectX-6 Dx on Ethernet; see its profile
#   ompi-6137   the dump of a ConnectX-5; see its profile
#   dpdk        doc/guides/nics/mlx5.rst of DPDK
#   torchcomms  meta-pytorch/torchcomms pull 958, which does not name the card
#   inferred    no public dump or document says so
part 0x1021
firmware 28.0.0000
board BLUEBELL_CX7
cmd_hca_cap.log_max_qp 17 cx6dx
cmd_hca_cap.log_max_qp_sz 15 cx6dx
cmd_hca_cap.log_max_cq 24 cx6dx
cmd_hca_cap.log_max_cq_sz 22 cx6dx
cmd_hca_cap.log_max_mkey 24 cx6dx
cmd_hca_cap.log_max_pd 23 cx6dx
cmd_hca_cap.log_max_ra_req_qp 4 cx6dx
cmd_hca_cap.log_max_ra_res_qp 4 cx6dx
cmd_hca_cap.log_max_mcg 21 cx6dx
cmd_hca_cap.max_qp_mcg 240 cx6dx
cmd_hca_cap.xrc 1 copyrpc
cmd_hca_cap.imaicl 1 copyrpc
cmd_hca_cap.cqe_compression 1 copyrpc
cmd_hca_cap.cqe_compression_max_num 64 copyrpc
cmd_hca_cap.atomic 1 copyrpc
atomic_caps.atomic_operations 0xf copyrpc
atomic_caps.atomic_size_qp 0x3c ompi-6137
atomic_caps.atomic_size_dc 0x3c inferred
odp_cap.rc_odp_caps.atomic 0 cx6dx ethernet
odp_cap.xrc_odp_caps.atomic 0 cx6dx ethernet
odp_cap.dc_odp_caps.atomic 0 inferred ethernet
odp_cap.xrc_odp_caps.receive 0 cx6dx
odp_cap.ud_odp_caps.srq_receive 0 cx6dx
device_mem_cap.max_memic_size 131072 cx6
cmd_hca_cap.tag_matching 0 cx6dx ethernet
cmd_hca_cap.rndv_offload_rc 0 cx6dx ethernet
cmd_hca_cap.log_tag_matching_list_sz 0 cx6dx ethernet
cmd_hca_cap.log_max_xrq 0 cx6dx ethernet
cmd_hca_cap.tag_matching 1 cx6 infiniband
cmd_hca_cap.rndv_offload_rc 1 cx6 infiniband
cmd_hca_cap.log_tag_matching_list_sz 7 cx6 infiniband
cmd_hca_cap.log_max_dci_stream_channels 6 inferred
cmd_hca_cap.log_max_dci_errored_streams 0 torchcomms
cmd_hca_cap.enhanced_cqe_compression 1 inferred
cmd_hca_cap.dma_mmo_qp 0 inferred
cmd_hca_cap.log_dma_mmo_max_size 0 inferred
cmd_hca_cap.wait_on_data 1 inferred
cmd_hca_cap.wait_on_time 1 dpdk
cmd_hca_cap.dp_ordering_ooo_all_rc 0 inferred
cmd_hca_cap.dp_ordering_ooo_all_xrc 0 inferred
cmd_hca_cap.dp_ordering_ooo_all_dc 0 inferred
cmd_hca_cap_2.dp_ordering_force 0 inferred
