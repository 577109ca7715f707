/** The figures of the paper on NIC programs, and their predictions by virtual time. */
@NullMarked
package dev.bluebell.lab.paper;

import org.jspecify.annotations.NullMarked;
