/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The few parts of an ELF file that unwinding needs: executable segments, where the
 * unwind sections lie, entry point, build-id. Reads with pread(), never through a
 * mapping, so that a file cut short meanwhile is an error and no signal; trusts nothing
 * that it reads.
 */
#ifndef FLAME_UNWIND_IMAGE_H
#define FLAME_UNWIND_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "flame_abi.h"

#define IMAGE_SEGMENTS_MAX	16
#define IMAGE_PLTS_MAX		8

/* A part of the file that is loaded: @address is what the ELF file calls it. */
struct image_part {
	uint64_t offset;
	uint64_t address;
	uint64_t size;
};

/**
 * struct image - an ELF file, open for reading
 * @fd: of the file; -1: it is in memory
 * @bytes: the file in memory, else NULL
 * @size: of the file
 * @entry: e_entry
 * @is_64bit: x86-64 code in ELFCLASS64; nothing but @build_id is there otherwise
 * @is_go: made by the Go compiler, whose code keeps frame pointers everywhere
 * @code: executable segments
 * @plts: sections .plt, .plt.sec, .plt.got
 * @eh_frame, @debug_frame: size 0 where there is none
 * @debug_frame_packed: SHF_COMPRESSED
 * @gopclntab: Go's table of functions
 * @text: address of .text
 */
struct image {
	int fd;
	const uint8_t *bytes;
	uint64_t size;
	uint64_t entry;
	bool is_64bit;
	bool is_go;
	struct image_part code[IMAGE_SEGMENTS_MAX];
	unsigned int nr_code;
	struct image_part plts[IMAGE_PLTS_MAX];
	unsigned int nr_plts;
	struct image_part eh_frame;
	struct image_part debug_frame;
	bool debug_frame_packed;
	struct image_part gopclntab;
	uint64_t text;
	uint8_t build_id[FLAME_BUILD_ID_MAX];
	unsigned int build_id_len;
};

/*
 * Reads the headers. @fd stays the caller's and must stay open as long as @im is used.
 * False: not an ELF file that can be read. There is nothing to free.
 */
bool image_open(struct image *im, int fd);

/* The same for a file in memory. */
bool image_open_memory(struct image *im, const void *bytes, size_t size);

/* Fills @buf from file offset @offset; false when not all @bytes are there. */
bool image_read(const struct image *im, uint64_t offset, void *buf, size_t bytes);

/*
 * A part's bytes, to be freed; NULL: it cannot be read or is larger than IMAGE_PART_MAX.
 */
#define IMAGE_PART_MAX	(256ull << 20)
uint8_t *image_part_bytes(const struct image *im, const struct image_part *part);

/*
 * Bytes of .debug_frame, unpacked where it is compressed, to be freed. NULL as above.
 */
uint8_t *image_debug_frame(const struct image *im, size_t *size);

/*
 * Translates an address to a file offset. *@left: bytes from there to the segment's end.
 * False: in no executable segment.
 */
bool image_offset(const struct image *im, uint64_t address, uint64_t *offset, uint64_t *left);

#endif /* FLAME_UNWIND_IMAGE_H */
