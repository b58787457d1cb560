/** A plain service as the documentation of NestJS and TypeORM would have it: an entity, a controller, a guard. */
import 'reflect-metadata'
import {
  Body,
  type CanActivate,
  Controller,
  type ExecutionContext,
  Get,
  Injectable,
  Module,
  NotFoundException,
  Param,
  Put,
  UseGuards,
} from '@nestjs/common'
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm'
import { Column, Entity, PrimaryColumn, type Repository } from 'typeorm'

@Entity()
export class Group {
  @PrimaryColumn('text')
  id!: string

  @Column('simple-json')
  categorySchema!: unknown
}

export const token = 'a token of no importance whatsoever'

@Injectable()
class TokenGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    return context.switchToHttp().getRequest().headers.authorization === `Bearer ${token}`
  }
}

@Controller('groups')
@UseGuards(TokenGuard)
class GroupController {
  constructor(@InjectRepository(Group) private readonly groups: Repository<Group>) {}

  @Get(':id')
  find(@Param('id') id: string): Promise<Group> {
    return this.require(id)
  }

  @Put(':id')
  async update(@Param('id') id: string, @Body() body: Pick<Group, 'categorySchema'>): Promise<Group> {
    const group = await this.require(id)
    group.categorySchema = body.categorySchema
    return this.groups.save(group)
  }

  private async require(id: string): Promise<Group> {
    const group = await this.groups.findOneBy({ id })
    if (!group) throw new NotFoundException()
    return group
  }
}

export function serviceOn(database: string) {
  @Module({
    imports: [
      TypeOrmModule.forRoot({ type: 'better-sqlite3', database, entities: [Group], synchronize: true }),
      TypeOrmModule.forFeature([Group]),
    ],
    controllers: [GroupController],
  })
  class Service {}
  return Service
}
