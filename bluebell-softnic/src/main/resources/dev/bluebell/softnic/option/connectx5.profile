# A ConnectX-5. A line is structure.field, what the card says, the source, and the link layer if only one.
# Sources:
#   ompi-6137   ibv_devinfo -v in open-mpi/ompi pull 6137: MT_0000000008, firmware 16.23.1020
#   ucx-9830    ibv_devinfo -v in openucx/ucx issue 9830: MT_0000000080, firmware 16.27.1016
#   cx6dx       the dump of a ConnectX-6 Dx on Ethernet, which says so too; see its profile
#   cx6         the dump of a ConnectX-6 on InfiniBand; see the profile of ConnectX-7
#   dpdk        doc/guides/nics/mlx5.rst of DPDK
#   inferred    no public dump or document says so
part 0x1017
firmware 16.0.0000
board BLUEBELL_CX5
cmd_hca_cap.log_max_qp 18 ompi-6137
cmd_hca_cap.log_max_qp_sz 15 ompi-6137
cmd_hca_cap.log_max_cq 24 ompi-6137
cmd_hca_cap.log_max_cq_sz 22 ompi-6137
cmd_hca_cap.log_max_mkey 24 ompi-6137
cmd_hca_cap.log_max_pd 24 ompi-6137
cmd_hca_cap.log_max_ra_req_qp 4 ompi-6137
cmd_hca_cap.log_max_ra_res_qp 4 ompi-6137
cmd_hca_cap.xrc 1 ompi-6137
cmd_hca_cap.cd 1 ompi-6137
cmd_hca_cap.dct 1 ompi-6137
cmd_hca_cap.imaicl 1 ucx-9830
cmd_hca_cap.atomic 1 ompi-6137
atomic_caps.atomic_operations 0xf ompi-6137
atomic_caps.atomic_size_qp 0x3c ompi-6137
atomic_caps.atomic_size_dc 0x3c inferred
odp_cap.rc_odp_caps.atomic 0 inferred
odp_cap.xrc_odp_caps.atomic 0 inferred
odp_cap.dc_odp_caps.atomic 0 inferred
cmd_hca_cap.tag_matching 0 cx6dx ethernet
cmd_hca_cap.rndv_offload_rc 0 cx6dx ethernet
cmd_hca_cap.log_tag_matching_list_sz 0 cx6dx ethernet
cmd_hca_cap.log_max_xrq 0 cx6dx ethernet
cmd_hca_cap.tag_matching 1 cx6 infiniband
cmd_hca_cap.rndv_offload_rc 1 cx6 infiniband
cmd_hca_cap.log_tag_matching_list_sz 7 cx6 infiniband
cmd_hca_cap.log_max_dci_stream_channels 0 inferred
cmd_hca_cap.log_max_dci_errored_streams 0 inferred
cmd_hca_cap.enhanced_cqe_compression 0 inferred
cmd_hca_cap.dma_mmo_qp 0 inferred
cmd_hca_cap.log_dma_mmo_max_size 0 inferred
cmd_hca_cap.wait_on_data 0 inferred
cmd_hca_cap.wait_on_time 0 dpdk
cmd_hca_cap.dp_ordering_ooo_all_rc 0 inferred
cmd_hca_cap.dp_ordering_ooo_all_xrc 0 inferred
cmd_hca_cap.dp_ordering_ooo_all_dc 0 inferred
cmd_hca_cap_2.dp_ordering_force 0 inferred
